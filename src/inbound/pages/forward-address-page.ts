import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../base/db/database.ts';
import { escapeHtml } from '../../base/http/html.ts';
import { answerVisit, formRoute, type VisitAnswer } from '../../base/http/hosted-page.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import type { Log } from '../../base/log.ts';
import type { RootSecret } from '../../base/secrets.ts';
import { createForwardTokens, findAskedAddress, verifyForwardAddress } from '../../received/index.ts';
import { answerErrors, languageOf, messagePage, takeForms } from '../../track/index.ts';

interface Context {
  db: Database;
  log: Log;
  secret: RootSecret;
}

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

const maxBodyBytes = 8 * 1024;

interface Words {
  ask: { title: string; text: (instance: string, address: string) => string; button: string };
  agreed: { title: string; text: string };
  expired: { title: string; text: string };
}

const texts: Record<Language, Words> = {
  es: {
    ask: {
      title: 'Recibir correo reenviado',
      text: (instance, address) =>
        `«${instance}» quiere reenviar a ${address} correo que recibe. ¿Estás de acuerdo?`,
      button: 'Acepto',
    },
    agreed: {
      title: 'Listo',
      text: 'El correo se reenviará a tu dirección. Para dejar de recibirlo, escribe a quien te lo pidió.',
    },
    expired: {
      title: 'Este enlace no sirve',
      text: 'El enlace venció o no existe. Pide que te envíen otro.',
    },
  },
  en: {
    ask: {
      title: 'Receive forwarded mail',
      text: (instance, address) =>
        `“${instance}” wants to forward mail that it receives to ${address}. Do you agree?`,
      button: 'I agree',
    },
    agreed: {
      title: 'Done',
      text: 'Mail is forwarded to your address. To stop it, write to the people who asked you.',
    },
    expired: {
      title: 'This link does not work',
      text: 'The link has expired or does not exist. Ask for another one.',
    },
  },
};

/** Where an address agrees to forwarded mail. GET changes nothing: scanners follow every link. */
export function forwardAddressPages({ db, log, secret }: Context): (app: FastifyInstance) => void {
  const tokens = createForwardTokens(secret);
  const show = async (request: TokenRequest): Promise<VisitAnswer> => {
    const lang = languageOf(request);
    const words = texts[lang];
    const asked = await findAskedAddress(db, tokens.read(request.params.token));
    if (!asked) return { page: messagePage(lang, words.expired), status: 404 };
    if (asked.is_verified) return { page: messagePage(lang, words.agreed) };
    if (asked.is_expired) return { page: messagePage(lang, words.expired), status: 410 };
    const { title, text, button } = words.ask;
    const page = messagePage(lang, { title, text: text(asked.instance_name, asked.address) });
    const form = `<form method="post"><button>${escapeHtml(button)}</button></form>`;
    return { page: { ...page, main: `${page.main}\n${form}` } };
  };
  const agree = async (request: TokenRequest): Promise<VisitAnswer> => {
    const id = tokens.read(request.params.token);
    if (id !== undefined) await db.transaction(async (tx) => await verifyForwardAddress(tx, id));
    return { location: encodeURIComponent(request.params.token) };
  };
  const route = (handle: (request: TokenRequest) => Promise<VisitAnswer>) => {
    return async (request: TokenRequest, reply: FastifyReply): Promise<string> =>
      answerVisit(reply, await handle(request));
  };
  return (app) => {
    app.register(async (scope) => {
      takeForms(scope);
      answerErrors(scope, log);
      scope.get('/forward/:token', { config: { operation_id: 'show_forward_address' } }, route(show));
      scope.post('/forward/:token', formRoute('agree_to_forwards', maxBodyBytes), route(agree));
    });
  };
}
