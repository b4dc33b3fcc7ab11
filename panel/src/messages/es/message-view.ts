import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/message-view.ts';

export const messages: Translation<typeof english> = {
  message: 'Mensaje',
  html: 'HTML',
  text: 'Texto',
  source: 'Fuente',
  headers: 'Encabezados',
  attachments: 'Adjuntos',
  no_html: 'El mensaje no tiene parte HTML.',
  no_text: 'El mensaje no tiene parte de texto.',
  width: 'Ancho',
  widths: { desktop: 'Escritorio', phone: 'Teléfono' },
  images: 'Cargar imágenes remotas',
  name: 'Nombre',
  value: 'Valor',
  type: 'Tipo',
  size: 'Tamaño',
  download: 'Descargar',
  unnamed: 'sin nombre',
};
