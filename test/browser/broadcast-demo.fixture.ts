import assert from 'node:assert/strict';
import type { PanelUser } from '../support/panel-user.ts';
import type { Tenant } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';

const source = `<div style="font-family:Georgia,serif;max-width:560px;margin:0 auto;padding:24px">
<h1>Novedades de primavera</h1><p>Hola {{ contact.FIRST_NAME | default: "lector" }}:</p>
<p>Llegaron <a href="https://altiplano.example/primavera">los libros de la temporada</a> y
<a href="https://altiplano.example/talleres">los talleres de lectura</a>.</p>
<p><a href="{{ unsubscribe_url }}">Darme de baja</a></p></div>`;

export interface BroadcastDemo {
  /** One that was sent, and a draft. */
  sent_broadcast_id: number;
  draft_broadcast_id: number;
}

/** Two broadcasts to the imported contacts that went out, and one that is being written. */
export async function createBroadcastDemo(
  user: PanelUser,
  { instance }: Tenant,
  purpose_id: number,
): Promise<BroadcastDemo> {
  const made = async (path: string, body: object): Promise<{ id: number }> => {
    const answer = await user.post(`/v1/private${path}`, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
  };
  const sender = await made('/senders', {
    name: 'Librería Altiplano',
    email_address: `novedades@${instance.slug}.sandbox.test`,
    stream: 'broadcast',
  });
  const template = await made('/mail-templates', {
    name: 'Novedades de primavera',
    subject: 'Libros de la temporada, {{ contact.FIRST_NAME }}',
    source,
  });
  await user.post(`/v1/private/mail-templates/${template.id}/publish`);
  const names = ['Ana', 'Luis', 'Marta', 'Pedro', 'Sofía'];
  const draft = async (name: string): Promise<number> =>
    (
      await made('/broadcasts', {
        name,
        sender_id: sender.id,
        template_id: template.id,
        audience: { purpose_id, conditions: [{ field: 'FIRST_NAME', operator: 'in', values: names }] },
      })
    ).id;
  const sent = [await draft('Liquidación de invierno'), await draft('Novedades de primavera')];
  for (const id of sent) await sendNow(user, id);
  return {
    sent_broadcast_id: sent[1] ?? 0,
    draft_broadcast_id: await draft('Feria del libro de Valparaíso'),
  };
}

async function sendNow(user: PanelUser, id: number): Promise<void> {
  const { status, text } = await user.post(`/v1/private/broadcasts/${id}/send`);
  assert.equal(status, 200, text);
  await waitFor(async () => (await user.get(`/v1/private/broadcasts/${id}`)).json.state === 'sent', {
    what: `broadcast ${id}`,
    timeout_ms: 60_000,
  });
}
