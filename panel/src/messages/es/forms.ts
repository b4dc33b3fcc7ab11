import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/forms.ts';

export const messages: Translation<typeof english> = {
  title: 'Formularios',
  about:
    'Lo que las personas llenan para registrarse, aceptar o cambiar sus datos, en una página propia o dentro de la tuya.',
  add: 'Nuevo formulario',
  name: 'Nombre',
  kind: 'Clase',
  kinds: { consent: 'Consentimiento', advanced: 'Avanzado' },
  type: 'Tipo',
  types: { registration: 'Registro', update: 'Actualización' },
  state: 'Estado',
  active: 'Abierto',
  inactive: 'Cerrado',
  default: 'Predeterminado',
  confirmation: 'Doble confirmación',
  with_confirmation: 'Con doble confirmación',
  without_confirmation: 'Sin ella',
  yes: 'Sí',
  no: 'No',
  items: 'Elementos',
  updated: 'Cambiado',
  empty: 'Aún no hay formularios',
  empty_about:
    'Un formulario pide campos de tu catálogo y consentimientos. Arma uno, comparte su dirección o ponlo en tu sitio, y lee aquí lo que las personas envían.',
};
