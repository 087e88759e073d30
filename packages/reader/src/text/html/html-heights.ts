import type { TextHeight } from '../../office/markdown/raised-text.js';

const byTag: Readonly<Record<string, TextHeight>> = { sup: 'raised', sub: 'lowered' };
const byAlignment: Readonly<Record<string, TextHeight>> = { super: 'raised', sub: 'lowered' };

const ALIGNED = /vertical-align\s*:\s*(super|sub)\b/i;

/** A CSS class for raised or lowered text, as programs that export to HTML define. */
const CLASS = /\.([\w-]+)\s*\{[^{}]*?vertical-align\s*:\s*(super|sub)\b/gi;

/** Detects raised and lowered text by tag or style. */
export class HtmlHeights {
  private readonly byClass: ReadonlyMap<string, TextHeight>;

  constructor(html: string) {
    this.byClass = new Map(
      Array.from(html.matchAll(CLASS), ([, name = '', alignment = '']) => [name, alignedAs(alignment)]),
    );
  }

  of(name: string, attributes: Readonly<Record<string, string>>): TextHeight {
    const [, alignment] = ALIGNED.exec(attributes.style ?? '') ?? [];
    if (alignment !== undefined) return alignedAs(alignment);
    const classes = attributes.class?.split(/\s+/) ?? [];
    const named = classes.find((name) => this.byClass.has(name)) ?? '';
    return byTag[name] ?? this.byClass.get(named) ?? null;
  }
}

function alignedAs(alignment: string): TextHeight {
  return byAlignment[alignment.toLowerCase()] ?? null;
}
