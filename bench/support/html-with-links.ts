/** A newsletter of about so many bytes, with so many links to different places. */
export function htmlWithLinks(bytes: number, links: number): string {
  const filler = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor. ';
  const each = Math.max(0, Math.floor((bytes - 60) / links) - 90);
  const text = filler.repeat(Math.ceil(each / filler.length)).slice(0, each);
  const rows = Array.from(
    { length: links },
    (_, index) =>
      `<p>${text}<a href="https://www.example.com/offer/${index}?ref=news">Offer ${index}</a></p>\n`,
  );
  return `<!doctype html><html><head><title>News</title></head><body>\n${rows.join('')}</body></html>\n`;
}
