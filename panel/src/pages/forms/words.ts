import { dictionary } from '../../shell/languages.ts';

export const words = dictionary({
  en: {
    title: 'Forms',
    about:
      'What people fill in to register, to agree or to change their data, on a page of its own or inside yours.',
    add: 'New form',
    name: 'Name',
    kind: 'Kind',
    kinds: { consent: 'Consent', advanced: 'Advanced' },
    type: 'Type',
    types: { registration: 'Registration', update: 'Update' },
    state: 'State',
    active: 'Open',
    inactive: 'Closed',
    default: 'Default',
    confirmation: 'Double opt-in',
    with_confirmation: 'With double opt-in',
    without_confirmation: 'Without',
    yes: 'Yes',
    no: 'No',
    items: 'Items',
    updated: 'Changed',
    empty: 'No forms yet',
    empty_about:
      'A form asks for fields of your catalogue and for consents. Build one, share its address or put it into your site, and read here what people send.',
  },
  es: {
    title: 'Formularios',
    about:
      'Lo que las personas llenan para registrarse, aceptar o cambiar sus datos, en una página propia o dentro de la suya.',
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
      'Un formulario pide campos de su catálogo y consentimientos. Arme uno, comparta su dirección o póngalo en su sitio, y lea aquí lo que las personas envían.',
  },
});
