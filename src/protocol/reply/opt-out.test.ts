import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptOut, type OptOutLanguage } from './opt-out.ts';

const requests: Record<OptOutLanguage, string[]> = {
  es: [
    'baja',
    'BAJA',
    'Baja, por favor.',
    'Hola, quiero darme de baja. Gracias',
    'Por favor darme de baja de la lista',
    'Dame de baja!!',
    'Desuscribir',
    'Cancelar suscripción',
    'No quiero recibir más correos',
    'no me envíen más correos por favor',
    'Por favor eliminarme de su lista de correos.',
    'Dejen de enviarme publicidad',
    'baja\n\nSaludos,\nMaría Soto',
    'Solicito la baja\nMaría Soto',
  ],
  en: [
    'unsubscribe',
    'Unsubscribe me please.',
    'Please unsubscribe me from this list',
    'STOP',
    'Stop emailing me',
    'remove me from your mailing list',
    'Take me off your list',
    'opt-out',
    'No more emails',
    "I don't want to receive any more emails",
    'Hi,\n\nplease remove me.\n\nThanks,\nMary',
  ],
  pt: [
    'Descadastrar',
    'Por favor, me descadastrar da lista',
    'Cancelar inscrição',
    'Não quero mais receber e-mails',
    'Sair',
    'Remova-me da lista, obrigado',
  ],
  de: [
    'Abmelden',
    'Bitte abmelden!',
    'Newsletter abbestellen',
    'Bitte keine weiteren E-Mails',
    'Keine Mails mehr bitte',
    'Stopp',
    'Bitte tragen Sie mich aus dem Verteiler aus.\n\nMit freundlichen Grüßen\nMaria',
  ],
};

for (const [language, texts] of Object.entries(requests)) {
  test(`recognises requests to be left in peace: ${language}`, () => {
    for (const text_reply of texts) assert.equal(readOptOut({ text_reply })?.language, language, text_reply);
  });
}

test('anything that says more, or may mean something else, is left to people', () => {
  for (const text_reply of [
    '',
    'Gracias',
    '¿Cómo me doy de baja?',
    'Cancelar',
    'No',
    'Quiero dar de baja mi línea telefónica del plan antiguo',
    'La calidad es baja',
    'Baja el precio y compro',
    'Please stop the delivery of order 77',
    'Stop by at 10:15 tomorrow',
    'Do not unsubscribe me',
    'I could not unsubscribe my colleague, can someone call me',
    'Remove the blue one, keep the red one',
    'Bitte abmelden wir uns am Montag',
    'no me envíen más correos a esta dirección, usen ventas@example.net para todo desde ahora',
    `baja ${'x'.repeat(400)}`,
  ])
    assert.equal(readOptOut({ text_reply }), undefined, text_reply);
});

test('a subject counts when the body is empty and it is the subject of the person', () => {
  assert.equal(readOptOut({ text_reply: '', subject: 'Unsubscribe' })?.language, 'en');
  assert.equal(readOptOut({ text_reply: '', subject: 'Re: unsubscribe' }), undefined);
  assert.equal(readOptOut({ text_reply: 'Thanks!', subject: 'unsubscribe' }), undefined);
});

test('time does not grow with what is written', () => {
  for (const piece of ['baja ', 'remove me ', 'please ', '\n', 'keine mails '])
    assert.equal(readOptOut({ text_reply: piece.repeat(200_000) }), undefined);
});
