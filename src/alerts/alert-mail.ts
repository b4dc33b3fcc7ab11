import type { Language } from '../base/http/preferred-language.ts';
import { linkMail, nameInMail, type PlatformMail } from '../base/platform-mail.ts';
import type { AlertKind } from './alert-kinds.ts';

export interface RaisedAlert {
  kind: AlertKind;
  object_name: string;
  value: number | null;
  threshold: number | null;
}

type Sentence = (alert: { name: string; value: string; threshold: string }) => string;

/** Rates as people write them, the rest as whole numbers. */
function amount(kind: AlertKind, value: number | null, language: Language): string {
  if (value === null) return '';
  const isShare = kind === 'bounce_rate' || kind === 'complaint_rate' || kind === 'plan_usage';
  const style = isShare
    ? { style: 'percent' as const, maximumFractionDigits: 2 }
    : { maximumFractionDigits: 0 };
  return new Intl.NumberFormat(language === 'es' ? 'es-CL' : 'en', style).format(
    isShare ? value : Math.ceil(value),
  );
}

const texts: Record<
  Language,
  { subject: (instance: string, count: number) => string; look: string; kinds: Record<AlertKind, Sentence> }
> = {
  es: {
    subject: (instance, count) =>
      count === 1 ? `Una alerta en «${instance}»` : `${count} alertas en «${instance}»`,
    look: 'Revisa los detalles y las reglas en el panel:',
    kinds: {
      bounce_rate: ({ value, threshold }) =>
        `Rebotó el ${value} de los correos de las últimas 24 horas. El umbral es ${threshold}.`,
      complaint_rate: ({ value, threshold }) =>
        `Las personas reclamaron por el ${value} de los correos de las últimas 24 horas. El umbral es ${threshold}.`,
      webhook_failing: ({ name, value }) => `El webhook «${name}» falló ${value} veces seguidas.`,
      domain_failed: ({ name }) => `El dominio «${name}» no pasó su última validación.`,
      plan_usage: ({ value }) => `Se usó el ${value} del plan de este mes.`,
      sending_held: () =>
        'Hay correos retenidos: su dominio dejó de estar verificado o la instancia se desactivó.',
      privacy_request_due: ({ value }) =>
        value === '0'
          ? 'Venció el plazo de una solicitud de derechos.'
          : `Una solicitud de derechos vence en ${value === '1' ? 'un día' : `${value} días`}.`,
    },
  },
  en: {
    subject: (instance, count) =>
      count === 1 ? `An alert in “${instance}”` : `${count} alerts in “${instance}”`,
    look: 'See the details and the rules in the panel:',
    kinds: {
      bounce_rate: ({ value, threshold }) =>
        `${value} of the mail of the last 24 hours bounced. The threshold is ${threshold}.`,
      complaint_rate: ({ value, threshold }) =>
        `People complained about ${value} of the mail of the last 24 hours. The threshold is ${threshold}.`,
      webhook_failing: ({ name, value }) => `The webhook “${name}” failed ${value} times in a row.`,
      domain_failed: ({ name }) => `The domain “${name}” failed its last validation.`,
      plan_usage: ({ value }) => `${value} of this month's plan is used.`,
      sending_held: () => 'Mail is on hold: its domain is no longer verified, or the instance was disabled.',
      privacy_request_due: ({ value }) =>
        value === '0'
          ? 'A privacy request is overdue.'
          : `A privacy request is due in ${value === '1' ? 'one day' : `${value} days`}.`,
    },
  },
};

interface Notice {
  instance_id: number;
  to: string;
  /** Null when the reader has chosen none: then both are written. */
  language: Language | null;
  instance: string;
  alerts: RaisedAlert[];
  link: string;
}

/** One mail for what was raised together. It names no person. */
export function alertMail({ instance_id, to, language, instance, alerts, link }: Notice): PlatformMail {
  const languages: Language[] = language === null ? ['es', 'en'] : [language];
  const name = nameInMail(instance);
  const paragraphs = languages.flatMap((each) => [
    ...alerts.map(({ kind, object_name, value, threshold }) =>
      texts[each].kinds[kind]({
        name: nameInMail(object_name),
        value: amount(kind, value, each),
        threshold: amount(kind, threshold, each),
      }),
    ),
    texts[each].look,
    link,
  ]);
  return linkMail({
    kind: 'alert',
    written_for: instance_id,
    to,
    subject: languages.map((each) => texts[each].subject(name, alerts.length)).join(' / '),
    link,
    paragraphs,
  });
}
