import { DocumentRefused } from '../../parsed-document.js';
import { inEnglish, sentences } from '../../remarks.js';
import { readHtml } from './read-html.js';

function markdownOf(html: string): string {
  return [...readHtml(html)].join('\n\n');
}

function warningsOf(html: string): string[] {
  const reading = readHtml(html);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value.map(inEnglish);
  }
}

describe('a page', () => {
  it.each([
    [
      '<h2>Émissions &amp; <b>déchets</b></h2><p>Un<p>Deux<br>trois',
      '## Émissions & déchets\n\nUn\n\nDeux\ntrois',
    ],
    ['<title>Rapport</title><p>a', '# Rapport\n\na'],
    ['<title>Rapport</title><h1>Autre</h1>a', '# Autre\n\na'],
    ['<ul><li>a<ul><li>b<li>c</ul><li><p>d<p>e</ul>', '- a\n    - b\n    - c\n- d\n    e'],
    ['<ol><li>a<li>b</ol><p>c', '1. a\n2. b\n\nc'],
    ['<ol start=4><li>a<li>b<li value=9>c<li>d</ol>', '4. a\n5. b\n9. c\n10. d'],
    ['<ol type=a start=2><li>a<ol type=I><li>b<li>c</ol></ol>', '- b. a\n    - I. b\n    - II. c'],
    ['<ol reversed start=3><li>a<li>b</ol><ol reversed><li>c</ol>', '3. a\n2. b\n- c'],
    ['<ol><li>a<dl><dd>b</dl><li>c</ol>', '1. a\n- b\n2. c'],
    ['<dl><dt>Mot<dd>Sens</dl>', 'Mot\n\n- Sens'],
    ['<pre>a  b\n  c</pre>', '```\na  b\n  c\n```'],
    ['a<img alt="Ventes par an">', 'a Ventes par an'],
    ['<p># a<p>| b', '\\# a\n\n\\| b'],
    ['a<script>b</script><style>c</style><nav>d<nav>e</nav></nav><template>f</template>g', 'ag'],
    ['<p>a<span hidden>b</span><span style="display: none">c<b>d</b></span>e', 'ae'],
    ['<div><div><section>a</section>b</div>c</div>d', 'a\n\nb\n\nc\n\nd'],
    ['10<sup>6</sup> kg CO<sub>2</sub> in 2023<sup><a>4</a>', '10⁶ kg CO₂ in 2023⁴'],
    ['a<sup>[1]</sup>, 25<sup>th</sup>, x<sup>ab', 'a[1], 25th, x^(ab)'],
    ['<table><tr><td>m<sup>2<td>10<sup>3</table>', '| m² | 10³ |\n| --- | --- |'],
    [
      '10<span style="color: red; Vertical-Align : super">6</span> kg, CO<i style="vertical-align:sub">2</i>',
      '10⁶ kg, CO₂',
    ],
    ['10<span style="vertical-align:super"><span>6</span><b>7</b></span>8', '10⁶⁷8'],
    [
      '<style>p, .c1{vertical-align:super} .c2{color:red}</style>2023<b class="c2 c1">4</b><b class=c2>5</b>',
      '2023⁴5',
    ],
    ['<p style="vertical-align:super">6<sup style="vertical-align:baseline">7', '6⁷'],
    ['12<del>100</del><ins>80</ins> <s>9</s>8<strike>7</strike>6', '1280 9 8 7 6'],
    ['<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</ruby>は', '漢字は'],
    ['plain', 'plain'],
    [
      '<p>Name <input value="Awa Diop"> <input type=hidden value=x><label><input type=checkbox checked>yes</label><input type=radio>no<input type=submit value=Send>',
      'Name Awa Diop ☒ yes ☐ no',
    ],
    [
      '<p>Why<textarea>Because it\nrains</textarea>Where<select><option>Thiès<option selected>Dakar</select>!',
      'Why Because it rains Where Dakar !',
    ],
    ['<h2><button>What is scope 1?</button></h2><p>What is burnt.', '## What is scope 1?\n\nWhat is burnt.'],
    ['', ''],
  ])('%s', (html, expected) => {
    expect(markdownOf(html)).toBe(expected);
  });

  it('keeps its tables, with cells that span others', () => {
    const html = `<table><caption>Tableau 1</caption><thead><tr><th>Année<th>CO2<th>Eau</thead>
      <tr><td rowspan=2>2024<td>1|2<td><p>3</p><p>4</p><tr><td>5<td>6<tr><td colspan=2>total<td>9</table>`;
    expect(markdownOf(html)).toBe(
      'Tableau 1\n\n| Année | CO2 | Eau |\n| --- | --- | --- |\n| 2024 | 1\\|2 | 3; 4 |\n| 2024 | 5 | 6 |\n| total |  | 9 |',
    );
  });

  it('keeps a table with another one in a cell, of which that has the text', () => {
    const inner = '<table><caption>Part</caption><tr><td>a|b<td>c<tr><td>d<td>e</table>';
    expect(
      markdownOf(`<table><tr><th>Site<th>CO2<tr><td>Dakar<td>5 ${inner} f<tr><td>Thiès<td>6</table>`),
    ).toBe('| Site | CO2 |\n| --- | --- |\n| Dakar | 5 Part a\\|b, c; d, e f |\n| Thiès | 6 |');
    expect(
      markdownOf(`<table><tr><td>Logo<td>Menu<tr><td colspan=2>Text ${inner} f<tr><td>g<td>h</table>`),
    ).toBe('Logo\n\nMenu\n\nText\n\nPart\n\n| a\\|b | c |\n| --- | --- |\n| d | e |\n\nf\n\ng\n\nh');
    expect(
      markdownOf(`<table><tr><th>a<th>b<tr><td>c<td>d ${inner.replace('<td>e', '<td><h2>e</h2>')}</table>`),
    ).toBe('a\n\nb\n\nc\n\nd\n\nPart\n\na|b\n\nc\n\nd\n\n## e');
  });

  it.each([
    [
      '<ul>',
      '<tr><th>Site<th>2023<th>Notes<tr><td>Dakar<td>98<td><ul><li>a<li>b<br>c<ol><li>d</ol></ul>e<tr><td>Thiès<td>51<td>-',
      '| Site | 2023 | Notes |\n| --- | --- | --- |\n| Dakar | 98 | - a - b c 1. d e |\n| Thiès | 51 | - |',
    ],
    [
      '<pre>, <dl>',
      '<tr><td>Site<td>Code<tr><td>Dakar<td>x<pre>\na  b\n</pre><tr><td>Thiès<td><dl><dt>e<dd>f</dl>',
      '| Site | Code |\n| --- | --- |\n| Dakar | x a b |\n| Thiès | e - f |',
    ],
    [
      '<h3>',
      '<thead><tr><th><h3>Site</h3><th><h3>2023</h3></thead><tr><th><h4>Dakar</h4><td>98',
      '| Site | 2023 |\n| --- | --- |\n| Dakar | 98 |',
    ],
  ])('keeps a table with %s in a cell', (_, rows, expected) => {
    expect(markdownOf(`<table>${rows}</table>`)).toBe(expected);
    expect(markdownOf(`<ul><li>a<li><table>${rows}</table>b<li>c</ul>`)).toBe(
      `- a\n\n${expected}\n\n- b\n- c`,
    );
  });

  it('gives the lists and texts that a table lays out as such', () => {
    const text = 'word '.repeat(500).trim();
    expect(
      markdownOf(`<table><tr><td>a<td>b<tr><td><ul><li>c<li>d</ul><td><ul><li>${text}</ul></table>`),
    ).toBe(`a\n\nb\n\n- c\n- d\n- ${text}`);
    expect(markdownOf('<table><tr><td>a<td>b<tr><td><ul><li>c<li>d<h2>e</h2></ul></table>')).toBe(
      'a\n\nb\n\n- c\n- d\n\n## e',
    );
  });

  it('is no table where one only puts things beside each other', () => {
    expect(markdownOf('<table><tr><td>a<td><h2>b</h2><ul><li>c</ul><tr><td>d</table>e')).toBe(
      'a\n\n## b\n\n- c\n\nd\n\ne',
    );
    expect(markdownOf('<table><tr><td>a<table><tr><td>b<td>c<tr><td>d<td>e</table></table>')).toBe(
      'a\n\n| b | c |\n| --- | --- |\n| d | e |',
    );
    expect(markdownOf('<table><tr><td>a<tr><td>b</table>')).toBe('a\n\nb');
  });

  it('may leave its tags open, but is refused where it is nested without an end', () => {
    expect(markdownOf(`${'<font>'.repeat(2000)}a`)).toBe('a');
    expect(markdownOf(`${'<table><tr><td>a<td>b<tr><td>c<td>'.repeat(3000)}a`)).toMatch(/^a\n\nb/);
    expect(() => markdownOf('<div>'.repeat(100_000))).toThrow(DocumentRefused);
  });

  it.each([
    ['<frameset><frame src="a"><frame src="b"></frameset>', /^The page shows others in frames/],
    ['<title>App</title><div id="root"></div><script src="a"></script>', /^Scripts put the page together/],
    ['<p> <img src="a"><img src="b">', /^2 pictures left out: .*\(OCR\)\.$/],
  ])('says what it has instead of text: %s', (html, warning) => {
    expect(warningsOf(html)).toEqual([expect.stringMatching(warning)]);
    expect(warningsOf(`${html}</title></frameset></script>a`)).toEqual([]);
  });

  it.each([
    ['<a href="data:application/pdf;base64,JVBERi0=">Annex</a>', [sentences.OBJECTS_LEFT_OUT]],
    ['<iframe srcdoc="<p>b"></iframe>', [sentences.OBJECTS_LEFT_OUT]],
    ['<nav><a href="#a">A</a><a href="#b">B</a><a href="#c">C</a></nav>', [sentences.CONTENTS_LEFT_OUT]],
    [
      '<nav><a href="/a">A</a><a href="/b">B</a><a href="/c">C</a></nav><img src="data:image/png;base64,">',
      [],
    ],
  ])('says what it has besides its text: %s', (html, warnings) => {
    expect(warningsOf(`<p>text${html}`)).toEqual(warnings);
  });

  it('may be long', () => {
    const html = Array.from({ length: 20_000 }, (_, index) => `<p>Paragraph ${index}</p>`).join('\n');
    const pieces = [...readHtml(html)];
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.join('\n\n').match(/Paragraph \d+/g)).toHaveLength(20_000);
  });
});
