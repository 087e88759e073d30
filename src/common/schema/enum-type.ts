import { registerEnumType } from '@nestjs/graphql';

/** A GraphQL enum of names that stand for themselves, each with its description. */
export function enumType<Name extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Name, string>>,
): { readonly [Each in Name]: Each } {
  const names = Object.keys(values) as Name[];
  const type = Object.fromEntries(names.map((each) => [each, each])) as { [Each in Name]: Each };
  registerEnumType(type, {
    name,
    description,
    valuesMap: Object.fromEntries(names.map((each) => [each, { description: values[each] }])) as {
      [Each in Name]: { description: string };
    },
  });
  return type;
}
