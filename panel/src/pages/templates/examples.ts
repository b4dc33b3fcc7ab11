import type { MailTemplateDetail } from '../../api/operations.ts';
import type { Vocabulary } from '../../messages/vocabulary.ts';

type Words = Vocabulary['templates']['example'];

/** A first mail to change: variables, a loop, a button, and how it looks in the dark. */
export function exampleOf(editor: MailTemplateDetail['editor'], t: Words) {
  return {
    subject: `${t.subject} {{ order.number }}`,
    source: editor === 'mjml' ? mjml(t) : html(t),
  };
}

const html = (t: Words): string => `<!doctype html>
<html>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <style>
      body { margin: 0; background: #eef2f0; font-family: Helvetica, Arial, sans-serif; color: #1d2733; }
      .card { max-width: 560px; margin: 0 auto; padding: 32px; background: #ffffff; }
      .card td { padding: 8px 0; border-bottom: 1px solid #dfe5e2; }
      .button { display: inline-block; padding: 12px 20px; border-radius: 6px; background: #0b6b53; color: #ffffff; text-decoration: none; }
      .small { font-size: 13px; color: #5b6773; }
      @media (prefers-color-scheme: dark) {
        body { background: #0e1318; color: #e6ebef; }
        .card { background: #19212a; }
        .card td { border-color: #2c3843; }
        .small, .small a { color: #9fb0bf; }
      }
    </style>
  </head>
  <body>
    <div class="card">
      <h1>${t.title}</h1>
      <p>${t.greeting}, {{ recipient.name | split: " " | first | default: "${t.friend}" }}.</p>
      <p>${t.about} <b>{{ order.number }}</b>.</p>
      <table width="100%" cellspacing="0">
        {% for item in order.items %}
        <tr>
          <td>{{ item.name }}</td>
          <td align="right">{{ item.price }}</td>
        </tr>
        {% endfor %}
      </table>
      <p><a class="button" href="{{ order.url }}">${t.button}</a></p>
      <p class="small">
        <a href="{{ view_url }}">${t.browser}</a> · <a href="{{ unsubscribe_url }}">${t.leave}</a>
      </p>
    </div>
  </body>
</html>
`;

const mjml = (t: Words): string => `<mjml>
  <mj-head>
    <mj-attributes>
      <mj-all font-family="Helvetica, Arial, sans-serif" />
      <mj-text color="#1d2733" line-height="1.5" />
    </mj-attributes>
    <mj-style>
      @media (prefers-color-scheme: dark) {
        body, body > div { background: #0e1318 !important; }
        .card, .card > table { background: #19212a !important; }
        .card div, .card td { color: #e6ebef !important; }
        .card a { color: #6fd6b4 !important; }
        .card .button a { color: #ffffff !important; }
      }
    </mj-style>
  </mj-head>
  <mj-body background-color="#eef2f0">
    <mj-section background-color="#ffffff" padding="24px" css-class="card">
      <mj-column>
        <mj-text font-size="24px" font-weight="700">${t.title}</mj-text>
        <mj-text>${t.greeting}, {{ recipient.name | split: " " | first | default: "${t.friend}" }}.</mj-text>
        <mj-text>${t.about} <b>{{ order.number }}</b>.</mj-text>
        <mj-table>
          {% for item in order.items %}
          <tr>
            <td>{{ item.name }}</td>
            <td align="right">{{ item.price }}</td>
          </tr>
          {% endfor %}
        </mj-table>
        <mj-button css-class="button" href="{{ order.url }}" background-color="#0b6b53">${t.button}</mj-button>
        <mj-text font-size="13px" color="#5b6773">
          <a href="{{ view_url }}">${t.browser}</a> · <a href="{{ unsubscribe_url }}">${t.leave}</a>
        </mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;
