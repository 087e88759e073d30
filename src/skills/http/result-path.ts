import { query } from 'jsonpath-rfc9535';
import parse from 'jsonpath-rfc9535/parser';
import type { JsonValue } from '@palabre/json';

/** A faulty path. The message is for its author. */
export class BadPath extends Error {
  override readonly name = 'BadPath';
}

const MAX_PATH_CHARACTERS = 500;

type Segment = ReturnType<typeof parse>['segments'][number];

/**
 * Checks a JSONPath (RFC 9535) of names, positions, ranges and wildcards. Refuses filters, multiple selectors and
 * `..`, with which a short path can take very long on a large answer. Throws BadPath.
 */
export function requireResultPath(path: string): void {
  if (!segmentsOf(path).every(isSimple)) {
    throw new BadPath(
      'The result path may have names, positions, ranges and * only, and no .., such as $.data.items[*].name.',
    );
  }
}

/** The result of a checked path: a value or null for a path to one place, else a list. */
export function valueAt(value: JsonValue, path: string): JsonValue {
  const found = query(value, path);
  return segmentsOf(path).every(isOnePlace) ? (found[0] ?? null) : found;
}

function segmentsOf(path: string): readonly Segment[] {
  if (path.length > MAX_PATH_CHARACTERS)
    throw new BadPath(`The result path must be at most ${MAX_PATH_CHARACTERS} characters long.`);
  try {
    return parse(path).segments;
  } catch (error) {
    throw new BadPath('The result path is not a JSONPath, such as $.data.items.', { cause: error });
  }
}

function selectorOf({ node }: Segment): string | null {
  if (node.type !== 'BracketedSelection') return node.type;
  const [only, ...others] = node.selectors;
  return others.length === 0 && only ? only.type : null;
}

function isSimple(segment: Segment): boolean {
  const selector = selectorOf(segment);
  return segment.type === 'ChildSegment' && selector !== null && selector !== 'FilterSelector';
}

function isOnePlace(segment: Segment): boolean {
  const selector = selectorOf(segment) ?? '';
  return selector === 'MemberNameShorthand' || selector === 'NameSelector' || selector === 'IndexSelector';
}
