import { Field, type ReturnTypeFunc } from '@nestjs/graphql';

/** A field that may be null; the description says what that means. */
export function Nullable(type: ReturnTypeFunc, description: string): PropertyDecorator {
  return Field(type, { nullable: true, description });
}
