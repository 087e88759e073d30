import { gql } from '@urql/core';
import type { DocumentNode } from 'graphql';

import type { graphql as Typed } from '../gql/gql.js';

const fragments = new Map<string, DocumentNode>();

/**
 * An operation or fragment, typed by codegen by its very text. Fragments that it spreads are added: their modules have
 * to be imported where they are used.
 */
export const graphql = parsed as unknown as typeof Typed;

function parsed(source: string): DocumentNode {
  const used = [...source.matchAll(/\.\.\.(\w+)/g)].flatMap(([, name = '']) => fragments.get(name) ?? []);
  const document = gql(source as unknown as TemplateStringsArray, ...used);
  const [, name] = /^\s*fragment (\w+)/.exec(source) ?? [];
  if (name !== undefined) fragments.set(name, document);
  return document;
}
