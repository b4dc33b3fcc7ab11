import type { Language } from '../base/http/preferred-language.ts';
import type { RequestKind } from './request-schemas.ts';

export const answerKinds = ['received', 'extended', 'fulfilled', 'refused'] as const;

export interface AnswerFacts {
  id: number;
  instance: string;
  received: string;
  due: string;
  /** Null while it is not known: the text shows where it goes. */
  reason: string | null;
  ground: string | null;
  resolution: string | null;
}

interface AnswerTexts {
  right: Record<RequestKind, string>;
  subject: (right: string, facts: AnswerFacts) => string;
  greeting: string;
  received: (right: string, facts: AnswerFacts) => string[];
  extended: (right: string, facts: AnswerFacts) => string[];
  fulfilled: Record<RequestKind, (facts: AnswerFacts) => string[]>;
  refused: (right: string, facts: AnswerFacts) => string[];
  farewell: (facts: AnswerFacts) => string[];
}

const english: AnswerTexts = {
  right: {
    access: 'access to your data',
    portability: 'a copy of your data to take with you',
    rectification: 'the correction of your data',
    erasure: 'the erasure of your data',
    opposition: 'an end to certain uses of your data',
    blocking: 'the blocking of your data',
  },
  subject: (right, { id }) => `Your request for ${right} (no. ${id})`,
  greeting: 'Hello,',
  received: (right, { received, due }) => [
    `we received your request for ${right} on ${received}. You will have an answer by ${due} at the latest.`,
    'If we have to make sure that the request is yours, we will write to you at this same address.',
  ],
  extended: (right, { due, reason }) => [
    `you asked us for ${right}. We need more time: you will have an answer by ${due} at the latest.`,
    `The reason: ${reason ?? '[reason]'}`,
  ],
  fulfilled: {
    access: () => [
      'here is everything that we hold about you. Open the file index.html in the archive first: it says what each file contains.',
      '[how the person gets the archive]',
    ],
    portability: () => [
      'here is your data in files that other services can read (JSON and CSV). The file schema.json describes them.',
      '[how the person gets the archive]',
    ],
    rectification: ({ resolution }) => [
      'we corrected your data as you asked.',
      resolution ?? '[what was corrected]',
      'We also told those to whom we had passed it on.',
    ],
    erasure: () => [
      'we erased your data and will not write to you again. We keep only what proves your consents and that this request was answered, as the law asks.',
      'We also told those to whom we had passed it on.',
    ],
    opposition: ({ resolution }) => [
      'we no longer use your data for the purposes that you named.',
      ...(resolution === null ? [] : [resolution]),
    ],
    blocking: () => [
      'your data is blocked. We keep it, but do not use it and send you nothing until the blocking is lifted.',
    ],
  },
  refused: (right, { ground }) => [
    `you asked us for ${right}. We cannot grant it, on this ground: ${ground ?? '[legal ground]'}`,
    'If you do not agree, you can complain to the Personal Data Protection Agency within 30 days.',
  ],
  farewell: ({ instance }) => ['Kind regards,', instance],
};

const spanish: AnswerTexts = {
  right: {
    access: 'acceso a tus datos',
    portability: 'portabilidad de tus datos',
    rectification: 'rectificación de tus datos',
    erasure: 'supresión de tus datos',
    opposition: 'oposición al uso de tus datos',
    blocking: 'bloqueo de tus datos',
  },
  subject: (right, { id }) => `Tu solicitud de ${right} (n.º ${id})`,
  greeting: 'Hola:',
  received: (right, { received, due }) => [
    `El ${received} recibimos tu solicitud de ${right}. Te responderemos a más tardar el ${due}.`,
    'Si necesitamos comprobar que la solicitud es tuya, te escribiremos a esta misma dirección.',
  ],
  extended: (right, { due, reason }) => [
    `Nos pediste ${right}. Necesitamos más tiempo: te responderemos a más tardar el ${due}.`,
    `El motivo: ${reason ?? '[motivo]'}`,
  ],
  fulfilled: {
    access: () => [
      'Aquí está todo lo que tenemos sobre ti. Abre primero el archivo index.html: explica qué contiene cada uno.',
      '[cómo recibe la persona el archivo]',
    ],
    portability: () => [
      'Aquí están tus datos en archivos que otros servicios pueden leer (JSON y CSV). El archivo schema.json los describe.',
      '[cómo recibe la persona el archivo]',
    ],
    rectification: ({ resolution }) => [
      'Corregimos tus datos como lo pediste.',
      resolution ?? '[qué se corrigió]',
      'También avisamos a quienes se los habíamos comunicado.',
    ],
    erasure: () => [
      'Suprimimos tus datos y no volveremos a escribirte. Solo conservamos lo que prueba tus consentimientos y que respondimos esta solicitud, como lo exige la ley.',
      'También avisamos a quienes se los habíamos comunicado.',
    ],
    opposition: ({ resolution }) => [
      'Ya no usamos tus datos para los fines que indicaste.',
      ...(resolution === null ? [] : [resolution]),
    ],
    blocking: () => [
      'Tus datos están bloqueados. Los conservamos, pero no los usamos ni te enviamos nada hasta que se levante el bloqueo.',
    ],
  },
  refused: (right, { ground }) => [
    `Nos pediste ${right}. No podemos acoger la solicitud por esta causal: ${ground ?? '[causal legal]'}`,
    'Si no estás de acuerdo, puedes reclamar ante la Agencia de Protección de Datos Personales dentro de 30 días.',
  ],
  farewell: ({ instance }) => ['Saludos cordiales,', instance],
};

export const answerTexts: Record<Language, AnswerTexts> = { en: english, es: spanish };
