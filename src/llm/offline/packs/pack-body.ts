import { fold } from '../reading/words/fold.js';
import type { LoadedPack } from './catalogue.js';

interface Section {
  title: string;
  level: number;
  lines: readonly string[];
}

/** A group of what has to be known before the work can be done. */
export interface DataGroup {
  title: string;
  items: readonly string[];
}

const aboutData = /\b(?:datos|donnees|data|informations?|informacion|inputs?)\b|資料|資訊/;
const aboutStructure = /\b(?:estructura|structure|plan|outline|borrador|brouillon|draft)\b|架構|結構|草稿/;
const decisive =
  /\b(?:decisiv\w*|esencial\w*|essenti\w*|imprescindibl\w*|indispensabl\w*|required|key)\b|關鍵|必要/;
const item = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.+)$/u;

function sectionsOf(body: string): Section[] {
  const sections: (Section & { lines: string[] })[] = [];
  for (const line of body.split('\n')) {
    const [, marks = '', title = ''] = /^(#{1,6})\s+(.+)$/u.exec(line) ?? [];
    if (title !== '') sections.push({ title: title.trim(), level: marks.length, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** The first section whose title is about something, and those under it. */
function branchAbout(sections: readonly Section[], about: RegExp): readonly Section[] {
  const at = sections.findIndex(({ title, level }) => level > 1 && about.test(fold(title)));
  const [first] = at < 0 ? [] : sections.slice(at);
  if (!first) return [];
  const rest = sections.slice(at + 1);
  const end = rest.findIndex(({ level }) => level <= first.level);
  return [first, ...(end < 0 ? rest : rest.slice(0, end))];
}

const itemsOf = ({ lines }: Section): string[] => lines.flatMap((line) => item.exec(line)?.[1]?.trim() ?? []);

/** What has to be known, in groups, what decides first. */
export function dataGroups({ body }: LoadedPack): DataGroup[] {
  const groups = branchAbout(sectionsOf(body), aboutData)
    .map((section) => ({ title: section.title, items: itemsOf(section) }))
    .filter(({ items }) => items.length > 0);
  const isDecisive = ({ title }: DataGroup): boolean => decisive.test(fold(title));
  return [...groups.filter(isDecisive), ...groups.filter((group) => !isDecisive(group))];
}

/** How the document is built, as the instructions tell it; empty when they do not. */
export const structureOf = ({ body }: LoadedPack): string => {
  const [section, ...under] = branchAbout(sectionsOf(body), aboutStructure);
  const parts = [
    ...(section?.lines ?? []),
    ...under.flatMap(({ title, lines }) => [`**${title}**`, ...lines]),
  ];
  return parts.join('\n').trim();
};

/** What the instructions are called: their first heading, else their key. */
export const titleOf = ({ key, body }: LoadedPack): string => sectionsOf(body)[0]?.title ?? key;

/** What their author wants to have said of what they are not: the first quotation. */
export function reservationOf({ body }: LoadedPack): string {
  const lines = body.split('\n');
  const from = lines.findIndex((line) => line.startsWith('>'));
  if (from < 0) return '';
  const length = lines.slice(from).findIndex((line) => !line.startsWith('>'));
  return lines
    .slice(from, length < 0 ? undefined : from + length)
    .map((line) => line.replace(/^>\s?/, ''))
    .join(' ')
    .trim();
}
