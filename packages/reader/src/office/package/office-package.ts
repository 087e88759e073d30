import { posix } from 'node:path';

import { DocumentRefused } from '../../parsed-document.js';
import { openZip, type ZipArchive } from '../../zip-archive.js';
import { childrenOf, type XmlElement } from '../xml/xml-element.js';
import { elementOf, elementsOf } from '../xml/xml-reader.js';
import { Losses } from './losses.js';
import type { Remark, RemarkCode } from '../../remarks.js';

/** A reference from one part to another. */
export interface Relationship {
  /** The last segment of its type, such as `styles`. */
  type: string;
  /** The name of the part; null: it is outside of the file, and not read. */
  target: string | null;
}

/**
 * Types of embedded files. The workbook behind a chart is referenced by the chart, which contains everything that is
 * displayed.
 */
const EMBEDDED = new Set(['oleObject', 'package']);

/** A zip archive of parts that refer to each other: Office Open XML and OpenDocument files. */
export class OfficePackage {
  readonly losses = new Losses();
  private readonly names: ReadonlySet<string>;

  private constructor(private readonly zip: ZipArchive) {
    this.names = new Set(zip.names.map((name) => name.toLowerCase()));
  }

  static async open(bytes: Uint8Array): Promise<OfficePackage> {
    return new OfficePackage(await openZip(bytes));
  }

  has(name: string): boolean {
    return this.names.has(name.toLowerCase());
  }

  /** Reads a required part; null: there is none. Throws if it is damaged. */
  read(name: string): Uint8Array | null {
    return this.zip.read(name);
  }

  /**
   * Reads an optional part. If it is missing or damaged, the warning `missing` is added and null is returned. No warning
   * if nothing refers to it (null).
   */
  find<Read>(
    name: string | null | undefined,
    missing: RemarkCode | Remark,
    read: (bytes: Uint8Array) => Read,
  ): Read | null {
    if (name === null || name === undefined) return null;
    try {
      const bytes = this.zip.read(name);
      if (bytes) return read(bytes);
    } catch (error) {
      if (error instanceof DocumentRefused) throw error;
    }
    this.losses.add(missing);
    return null;
  }

  relationshipsOf(part: string): ReadonlyMap<string, Relationship> {
    const name = posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);
    if (!this.has(name)) return new Map();
    const root = this.find(name, 'REFERENCES_MISSING', (bytes) => elementOf(bytes));
    const relationships = new Map(
      childrenOf(root ?? undefined, 'rel:Relationship').map((relationship) => [
        relationship.attributes['Id'] ?? '',
        relationshipOf(part, relationship),
      ]),
    );
    for (const { type, target } of relationships.values())
      if (target !== null && EMBEDDED.has(type)) this.losses.add('OBJECTS_LEFT_OUT');
    return relationships;
  }

  /** The name of the first related part of a type; null: there is none. */
  relatedTo(part: string, type: string): string | null {
    for (const relationship of this.relationshipsOf(part).values())
      if (relationship.type === type && relationship.target !== null) return relationship.target;
    return null;
  }

  /** Adds the number of comments on a part to the warnings. `names`: the elements that are comments. */
  countComments(part: string, ...names: readonly string[]): void {
    for (const { type, target } of this.relationshipsOf(part).values()) {
      if (type !== 'comments') continue;
      this.find(target, 'COMMENTS_MISSING', (bytes) => {
        for (const _ of elementsOf(bytes, { whole: [], opened: names }))
          this.losses.count('COMMENTS_LEFT_OUT');
      });
    }
  }

  /** Finds the main part by its relationship, or else by its usual name. */
  mainPart(usual: string): { name: string; bytes: Uint8Array } | null {
    for (const name of [this.relatedTo('', 'officeDocument'), usual]) {
      const bytes = name === null ? null : this.read(name);
      if (name !== null && bytes) return { name, bytes };
    }
    return null;
  }
}

function relationshipOf(part: string, { attributes }: XmlElement): Relationship {
  const type = (attributes['Type'] ?? '').split('/').at(-1) ?? '';
  const target = attributes['Target'] ?? '';
  if (attributes['TargetMode'] === 'External' || target === '') return { type, target: null };
  const path = decoded(target.split('#')[0] ?? '');
  const joined = path.startsWith('/') ? path : posix.join('/', posix.dirname(part), path);
  return { type, target: posix.normalize(joined).slice(1) };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
