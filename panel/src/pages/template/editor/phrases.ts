import { EditorState, type Extension } from '@codemirror/state';
import type { Language } from '../../../shell/languages.ts';

const spanish = {
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

/** The editor's own words. */
export function phrases(language: Language): Extension {
  return language === 'es' ? EditorState.phrases.of(spanish) : [];
}
