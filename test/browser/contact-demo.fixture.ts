import assert from 'node:assert/strict';
import type { PanelUser } from '../support/panel-user.ts';

/** Of a shop that kept its consents on paper; three lines are refused. */
export const importedFile = [
  'Correo;FIRST_NAME;LAST_NAME;consented_at;Socio',
  'delivered+ana@sandbox.test;Ana;Soto Cárdenas;2026-08-14;sí',
  'open+luis@sandbox.test;Luis;Huenchumilla;2026-08-14;no',
  'click+marta@sandbox.test;Marta;Yáñez;2026-09-02;sí',
  'bounce+pedro@sandbox.test;Pedro;Ossandón;2026-09-02;sí',
  'delivered+sofia@sandbox.test;Sofía;Riquelme Mancilla;2026-09-21;no',
  'sin arroba;Iván;Toro;2026-09-21;no',
  'delivered+elena@sandbox.test;Elena;Fuentes;;no',
  'delivered+raul@sandbox.test;Raúl;Catrileo;2199-01-01;no',
].join('\r\n');

export async function createContactDemo(user: PanelUser, term_id: number): Promise<void> {
  const imported = await user.post('/v1/private/contact-imports', {
    term_id,
    method: 'single_opt_in',
    origin: 'Fichas de papel en el mesón de Valparaíso, carpeta 12',
    csv: importedFile,
  });
  assert.equal(imported.json.added, 5, imported.text);
}
