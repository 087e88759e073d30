import { Field, Float, Int, ObjectType } from '@nestjs/graphql';

import { Nullable } from '../../common/schema/nullable.js';
import { ID } from '../../common/schema/scalars.js';
import { DocumentModel } from '../document.model.js';

@ObjectType('Passage', {
  description:
    'A place in a document that answers a search: a passage, or up to three that follow each other.',
})
export class PassageModel {
  @Field(() => ID, { description: 'Of the passage that answers best.' })
  id!: string;

  @Field(() => DocumentModel, {
    description: 'Where it stands. Of several documents with the same content, the oldest.',
  })
  document!: DocumentModel;

  @Nullable(() => Int, 'From 1, of the passage that answers best; null: the document has no pages.')
  page!: number | null;

  @Field(() => [String], { description: 'The headings it stands below, the outermost first.' })
  headings!: string[];

  @Nullable(() => String, 'What it is written in, as a BCP 47 tag; null: unknown.')
  language!: string | null;

  @Field(() => String, {
    description: 'What it says, as Markdown; of a table its rows, as lines with points between the cells.',
  })
  text!: string;

  @Field(() => Float, {
    description: 'How much it bears on the query, 0 to 1; never more than of the one before it.',
  })
  score!: number;
}
