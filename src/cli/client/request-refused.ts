import { z } from 'zod';

/** The server answered with an error, in its words and with one of the codes of the closed list. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The `errors` of a GraphQL answer, as far as a person at a terminal needs them. */
export const GraphQLErrors = z
  .array(z.object({ message: z.string(), extensions: z.object({ code: z.string().optional() }).optional() }))
  .min(1);

export const refusalOf = (errors: z.infer<typeof GraphQLErrors>): RequestRefused =>
  new RequestRefused(
    errors[0]?.extensions?.code ?? 'INTERNAL',
    errors.map(({ message }) => message).join(' '),
  );
