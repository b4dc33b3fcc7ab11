const loop = (body: string, count: number): string => `{% for i in (1..${count}) %}${body}{% endfor %}`;
const endless = (body: string): string => loop(loop(body, 1_000), 1_000);
const text = `{% assign text = "x" %}${'{% assign text = text | append: text %}'.repeat(18)}`;
const list = `${text}{% assign list = text | slice: 0, 4096 | split: "" %}{% assign path = text | replace: "x", "x." %}`;
const filter = (name: string, value = 'text'): string => endless(`{% assign y = ${value} | ${name} %}`);

const textFilters = [
  'upcase,capitalize,strip_html,escape,escape_once,newline_to_br,url_encode,url_decode,strip,truncatewords: 9999',
  'truncate: 9999,split: "",strip: "x",rstrip: "x",remove: "x",date: "%Y",slice: 99999',
].flatMap((line) => line.split(','));
const listFilters = 'sort,sort_natural,uniq,join,reverse,map: path,sum: path,concat: list'.split(',');

/** Templates of a few hundred characters that a machine would be busy with for seconds, hours or for ever. */
export const bombs: Record<string, string> = {
  'an empty loop': endless(''),
  'text in a loop': endless('x'),
  'a loop that nothing sees': `{% capture x %}${endless('x')}{% endcapture %}`,
  'loops in loops': loop(loop(loop(loop(loop('{{ i }}', 999), 999), 999), 999), 999),
  'a range of a billion': '{{ (1..1000000000) | size }}',
  'a range that never ends': '{% for i in (9007199254740992..9007199254740993) %}{% endfor %}',
  'a range that never ends, of words': '{{ ("9007199254740992".."9007199254740993") | size }}',
  'a range that never ends, by calculation':
    '{% assign n = 94906267 | times: 94906267 %}{% for i in (n..n) limit: 1 %}{% endfor %}',
  'comparisons of ranges': endless('{% if (1..9999) == (1..9999) %}{% endif %}'),
  'a case of ranges': endless('{% case (1..999) %}{% when (1..999) %}{% endcase %}'),
  'a range in a bracket': '{% assign y = recipient[(9007199254740992..9007199254740993)] %}',
  'a text that doubles': `{% assign a = "xxxx" %}${'{% assign a = a | append: a %}'.repeat(40)}{{ a }}`,
  'a capture that doubles': `{% assign a = "xxxx" %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(40)}{{ a }}`,
  'a list that doubles': `{% assign a = "x,y" | split: "," %}${'{% assign a = a | concat: a %}'.repeat(40)}{{ a | size }}`,
  'text that grows by replacing': `{% assign a = "xx" %}${'{% assign a = a | replace: "x", a %}'.repeat(8)}{{ a }}`,
  'text between all characters': text + filter('replace: "", "yy"'),
  'much text': `${text}${'{{ text }}'.repeat(100)}`,
  'much text in a loop': text + endless('{{ text }}'),
  'a date of a gigabyte': '{{ "now" | date: "%999999999Y" }}',
  'names of days': `{{ "now" | date: "${'%A%c'.repeat(20_000)}" }}`,
  'a list of formats of dates': `${list}{% assign f = path | slice: 0, 20000 | replace: "x", "%c" | split: "." %}{{ "now" | date: f }}`,
  'dates in a loop': endless('{% assign y = "now" | date: "%A %c", "America/Santiago" %}'),
  'comparisons of lists': list + endless('{% if list == list %}{% endif %}'),
  'a search in a list': list + endless('{% if list contains "y" %}{% endif %}'),
  'a case of lists': list + endless('{% case list %}{% when list %}{% endcase %}'),
  'very many cases': endless(`{% case i %}${'{% when "a" %}'.repeat(900)}{% endcase %}`),
  'very many branches': endless(`{% if false %}${'{% elsif false %}'.repeat(900)}{% endif %}`),
  'a long condition': endless(`{% if ${'1 == 2 or '.repeat(300)}false %}{% endif %}`),
  'a long path': endless(`{% assign y = a${'.b'.repeat(1_500)} %}`),
  'paths in paths': endless(`{% assign y = ${'recipient['.repeat(200)}1${']'.repeat(200)} %}`),
  'raw text in a loop': endless(
    `{% capture y %}{% raw %}${'{{ a }}'.repeat(4_500)}{% endraw %}{% endcapture %}`,
  ),
  'a loop of comments': endless('{% # %}'.repeat(4_900)),
  'fixed text in a loop': loop('x'.repeat(10_000), 20_000),
  'a chain of filters of text': text + endless(`{% assign y = text ${'| url_encode '.repeat(300)} %}`),
  'a chain of filters': endless(`{% assign y = i ${'| plus: 1 '.repeat(400)} %}`),
  'escaping in a loop': `${text}{% assign a = text | replace: "x", "&" %}${endless('{% capture y %}{{ a }}{% endcapture %}')}`,
  ...Object.fromEntries(textFilters.map((name) => [`the filter ${name}`, text + filter(name)])),
  ...Object.fromEntries(
    listFilters.map((name) => [`the filter ${name} of a list`, list + filter(name, 'list')]),
  ),
};
