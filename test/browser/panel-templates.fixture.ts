import type { PanelUser } from '../support/panel-user.ts';

const path = '/v1/private/mail-templates';

const order = `<mjml>
  <mj-head>
    <mj-attributes><mj-all font-family="Helvetica, Arial, sans-serif" /></mj-attributes>
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
    <mj-section background-color="#0b6b53" padding="20px">
      <mj-column><mj-text color="#ffffff" font-size="20px" font-weight="700">Librería Altiplano</mj-text></mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" padding="20px" css-class="card">
      <mj-column>
        <mj-text font-size="22px" font-weight="700">Thank you for your order</mj-text>
        <mj-text line-height="1.5">
          Hello, {{ recipient.name | split: " " | first | default: "reader" }}. We are packing order <b>{{ order.number }}</b>.
        </mj-text>
        <mj-table>
          {% for item in order.items %}
          <tr><td style="padding: 6px 0">{{ item.name }}</td><td align="right">{{ item.price }}</td></tr>
          {% endfor %}
        </mj-table>
        <mj-button css-class="button" href="{{ order.url }}" background-color="#0b6b53" align="left">Follow your order</mj-button>
        <mj-text font-size="13px" color="#5b6773"><a href="{{ view_url }}">Read this in your browser</a></mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;

const welcome = `<div style="max-width:560px;margin:0 auto;padding:32px;font-family:Georgia,serif;color:#222">
  <h1 style="color:#0b6b53">Bienvenida, {{ recipient.name }}</h1>
  <p>Cada mes le escribimos sobre tres libros. <a href="{{ view_url }}">Léalo en su navegador</a>.</p>
  <p><a href="{{ unsubscribe_url }}">Darse de baja</a></p>
</div>
`;

/** Sample values as a person would type them for the first of the templates. */
export const orderSamples = {
  'order.number': '1001',
  'order.items':
    '[{"name": "Pedro Páramo", "price": "$ 12.900"}, {"name": "Canto general", "price": "$ 18.500"}]',
  'order.url': 'https://altiplano.example/orders/1001',
};

/** A published one in MJML with versions, a draft in HTML, and one with nothing in it. Returns the first. */
export async function createDemoTemplates(user: PanelUser): Promise<number> {
  const create = async (body: object): Promise<number> => (await user.post(path, body)).json.id;
  const id = await create({
    name: 'Order confirmation',
    editor: 'mjml',
    subject: 'Your order',
    source: order.replace('Thank you for your order', 'Your order is on its way').replace('22px', '18px'),
  });
  await user.patch(`${path}/${id}`, { subject: 'Your order {{ order.number }}' });
  await user.patch(`${path}/${id}`, { source: order });
  await user.post(`${path}/${id}/publish`);
  await create({
    name: 'Bienvenida al boletín',
    subject: 'Bienvenida, {{ recipient.name }}',
    source: welcome,
  });
  await create({ name: 'Password reset' });
  return id;
}
