import type { TagSpec } from '@codemirror/lang-html';

const box = ['padding', 'background-color', 'css-class'];
const type = ['color', 'font-family', 'font-size', 'font-weight', 'line-height', 'align'];
const link = ['href', 'target', 'rel'];
const image = ['src', 'alt', 'width', 'height'];

/** Elements of MJML with the attributes that people use most. */
const attributes: Record<string, string[]> = {
  mjml: [],
  'mj-head': [],
  'mj-attributes': [],
  'mj-all': [...type, ...box],
  'mj-class': ['name'],
  'mj-breakpoint': ['width'],
  'mj-font': ['name', 'href'],
  'mj-preview': [],
  'mj-style': ['inline'],
  'mj-title': [],
  'mj-body': ['background-color', 'width', 'css-class'],
  'mj-wrapper': [...box, 'border', 'border-radius', 'full-width'],
  'mj-section': [...box, 'background-url', 'direction', 'full-width', 'text-align', 'border-radius'],
  'mj-group': ['width', 'vertical-align', 'background-color'],
  'mj-column': [...box, 'width', 'vertical-align', 'border', 'border-radius', 'inner-background-color'],
  'mj-text': [...type, ...box, 'text-decoration', 'letter-spacing', 'height'],
  'mj-button': [...type, ...box, ...link, 'border', 'border-radius', 'inner-padding', 'width'],
  'mj-image': [...image, ...link, ...box, 'align', 'border-radius', 'fluid-on-mobile'],
  'mj-divider': ['border-color', 'border-style', 'border-width', 'width', ...box],
  'mj-spacer': ['height', ...box],
  'mj-table': [...type, ...box, 'cellpadding', 'cellspacing', 'width'],
  'mj-raw': [],
  'mj-social': ['mode', 'icon-size', ...type, ...box],
  'mj-social-element': ['name', ...image, ...link],
  'mj-hero': [...box, 'background-url', 'background-width', 'background-height', 'mode', 'height'],
  'mj-navbar': ['base-url', 'hamburger', ...box],
  'mj-navbar-link': [...link, ...type],
  'mj-accordion': box,
  'mj-accordion-element': [],
  'mj-accordion-title': [...type, ...box],
  'mj-accordion-text': [...type, ...box],
  'mj-carousel': ['thumbnails', 'border-radius', ...box],
  'mj-carousel-image': [...image, ...link],
};

export const mjmlTags: Record<string, TagSpec> = Object.fromEntries(
  Object.entries(attributes).map(([tag, names]) => [
    tag,
    { attrs: Object.fromEntries(names.map((name) => [name, null])), globalAttrs: false },
  ]),
);
