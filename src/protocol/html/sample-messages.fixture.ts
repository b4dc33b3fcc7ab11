/** Bodies as mail tools write them, each with what a simple search for links gets wrong. */
export const sampleMessages: Record<string, string> = {
  'a designed newsletter with conditionals for Outlook': `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->
<title>Novedades & ofertas <a href="https://title.example/">no link</a></title>
<style type="text/css">
a[href^="https://"] > span { color: #0b6b53 } /* <a href="https://style.example/"> */
@media only screen and (max-width:480px) { .w { width:100% !important } }
</style>
</head>
<body style="margin:0">
<!--[if mso | IE]><table width="600"><tr><td><a href="https://outlook.example/">Outlook</a><![endif]-->
<table class="w"><tr><td>
<a href="https://shop.example/?utm_source=mail&amp;utm_medium=email&amp;id=42" target="_blank" style="color:#fff">Comprar</a>
<!--[if !mso]><!-->
<a class="b" href='https://shop.example/not-outlook?q="a"'>Ver más</a>
<!--<![endif]-->
<a href="mailto:hola@shop.example?subject=Hola">Escríbenos</a> <a href="tel:+56 2 2345 6789">Llama</a> <a href="#top">Arriba</a>
<a href="{{ unsubscribe_url }}">Darse de baja</a>
<a data-chq-notrack href="https://shop.example/plain">sin seguimiento</a>
</td></tr></table>
<map name="m"><area shape="rect" coords="0,0,9,9" href="https://shop.example/area" alt="zona"></map>
</body>
</html>
`,
  'a button in VML': `<body><div><!--[if mso]>
<v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="https://vml.example/" style="height:40px;v-text-anchor:middle;width:200px;" arcsize="10%" stroke="f" fillcolor="#d62828">
<w:anchorlock/><center>Show me the button!</center></v:roundrect>
<![endif]--><![if !mso]><table cellspacing="0"><tr><td align="center"><a href="https://vml.example/real?a=1&b=2"
   style="color:#ffffff;font-size:16px;font-weight:bold;text-decoration:none;line-height:40px;display:inline-block">Show me the button!</a></td></tr></table><![endif]></div></body>`,
  'AMP for email': `<!doctype html>
<html ⚡4email data-css-strict><head><meta charset="utf-8"><script async src="https://cdn.ampproject.org/v0.js"></script>
<style amp4email-boilerplate>body{visibility:hidden}</style><style amp-custom>h1{margin:1rem}</style></head>
<body><amp-carousel width="400" height="300" layout="responsive" type="slides"><a href="https://amp.example/1"><amp-img src="https://amp.example/1.jpg" width="400" height="300" alt="uno"></amp-img></a></amp-carousel>
<amp-list src="https://amp.example/list"><template type="amp-mustache"><a href="https://amp.example/item/{{id}}">{{title}}</a></template></amp-list></body></html>`,
  'what a word processor saves': `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta name=Generator content="Microsoft Word 15 (filtered medium)"><!--[if !mso]><style>v\\:* {behavior:url(#default#VML);}</style><![endif]--></head>
<body lang=ES-CL link="#0563C1" vlink="#954F72"><div class=WordSection1><p class=MsoNormal><span style='font-size:11.0pt'>Hola,<o:p></o:p></span></p>
<p class=MsoNormal><a href=https://word.example/unquoted/path?x=1&y=2>sin comillas</a><o:p>&nbsp;</o:p></p>
<p class=MsoNormal><a href="https://word.example/&#x2F;hex&#47;dec&copy=1&reg;&eacute">entidades</a></p></div></body></html>`,
  'markup that never closes anything': `<p>Uno<p>Dos <b><a HREF = "https://broken.example/1" <i>tres</b>
<a href='https://broken.example/2"><img src="x.png>'>cuatro</a <a href="https://broken.example/lost">
<a href=https://broken.example/3/>cinco</a></body></body><table><a href="https://broken.example/4"><tr><td>seis
<a href="https://broken.example/5" href="https://broken.example/second">siete<!-- <a href="https://broken.example/c"> --!>
</body><textarea><a href="https://broken.example/t"></textarea><a href="https://broken.example/6`,
  'text without any markup': 'Hola Ana, 1 < 2 && 3 > 2. https://plain.example/ no es un enlace.\r\n',
  'an answer that quotes a message': `<div dir="ltr">Gracias! <a href="https://reply.example/a%20b?c=ñandú">enlace</a></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">El lun, Ana &lt;<a href="mailto:ana@reply.example">ana@reply.example</a>&gt; escribió:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex"><a href="HTTPS://Reply.Example:443/Old
?x=1">viejo</a></blockquote></div>`,
  'pictures drawn in the text': `<p><a href="https://svg.example/before"><svg width="10" height="10"><title>Icono</title><a href="https://svg.example/inside"><path d="M0 0h10v10z"/></a></svg></a>
<a href="https://svg.example/after">después</a> <math><mi>x</mi><mo>&lt;</mo><mn>1</mn></math> <a href="https://svg.example/last">fin</a></p>`,
};

/** A megabyte of a table that a report might mail: 7,000 rows and as many links. */
export function largeMessage(): string {
  const row = (index: number): string =>
    `<tr><td class="n" style='color:#333'>${index}</td><td><a href="https://large.example/rows/${index}?a=1&amp;b=2">Fila ñ ${index}</a></td><td>${'·'.repeat(20)}</td></tr>\n`;
  return `<html><body><table>${Array.from({ length: 7_000 }, (_, index) => row(index)).join('')}</table></body></html>`;
}
