import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/editor.ts';

export const messages: Translation<typeof english> = {
  Find: 'Buscar',
  Replace: 'Reemplazar',
  next: 'siguiente',
  previous: 'anterior',
  all: 'todos',
  'match case': 'mayúsculas',
  regexp: 'expresión regular',
  'by word': 'palabra completa',
  replace: 'reemplazar',
  'replace all': 'reemplazar todos',
  close: 'cerrar',
  'Fold line': 'Plegar línea',
  'Unfold line': 'Desplegar línea',
  Completions: 'Sugerencias',
  Diagnostics: 'Problemas',
  'No diagnostics': 'Sin problemas',
  '$ unchanged lines': '$ líneas iguales',
};
