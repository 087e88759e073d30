import { sentencesOf } from './drawing.js';

function page(content) {
  return new TextEncoder().encode(
    `<!doctype html><html><head><meta charset="utf-8"><title>Handbook</title><style>nav{float:left}</style></head><body>${content}</body></html>`,
  );
}
function site(of, around = (content) => content) {
  return (sections) => ({ bytes: page(around(sections.map(of).join('\n'))), begins: null });
}

/** How web pages are laid out, which have no pages. */
export const pageLayouts = {
  'an article with navigation and a foot': site(
    ({ title, body }) => `<h2>${title}</h2><p>${body}</p>`,
    (content) =>
      `<nav><a href="/">Home</a></nav><main><article>${content}</article></main><footer>© The house</footer>`,
  ),
  'a paragraph a sentence': site(
    ({ title, body }) =>
      `<h3>${title}</h3>${sentencesOf(body)
        .map((each) => `<p>${each}`)
        .join('')}`,
  ),
  'lines broken by hand': site(
    ({ title, body }) => `<b>${title}</b><br>${sentencesOf(body).join('<br>')}<hr>`,
  ),
  'tables that only lay out': site(
    ({ title, body }) =>
      `<tr><td width="20%"><font size="4">${title}</font></td><td><table><tr><td>${body}</td></tr></table></td></tr>`,
    (content) => `<table width="100%"><tr><td>Menu</td><td><table>${content}</table></td></tr></table>`,
  ),
  'a table of data': site(
    ({ title, body }) => `<tr><th scope="row">${title}</th><td>${body}</td></tr>`,
    (content) => `<table><caption>Rules</caption><tr><th>Title</th><th>Text</th></tr>${content}</table>`,
  ),
  'a list of terms': site(
    ({ title, body }) => `<dt>${title}</dt><dd>${body}</dd>`,
    (content) => `<dl>${content}</dl>`,
  ),
  'questions that open': site(
    ({ title, body }) => `<details><summary>${title}</summary><div>${body}</div></details>`,
  ),
  'cards of boxes': site(
    ({ title, body }) =>
      `<div class="card"><div><span>${title}</span></div><div><div><span>${body}</span></div></div></div>`,
    (content) => `<div class="grid">${content}</div>`,
  ),
  'exported from a word processor': site(
    ({ title, body }) =>
      `<p class=MsoTitle><b><span lang=FR style='mso-fareast-language:FR'>${title}<o:p></o:p></span></b></p><p class=MsoNormal>${body.replaceAll(
        /\S+\s*/g,
        '<span style="font-size:11.0pt">$&</span>',
      )}<o:p>&nbsp;</o:p></p>`,
  ),
  'items in lists in lists': site(
    ({ title, body }) =>
      `<li>${title}<ul>${sentencesOf(body)
        .map((each) => `<li>${each}</li>`)
        .join('')}</ul></li>`,
    (content) => `<ul>${content}</ul>`,
  ),
};
