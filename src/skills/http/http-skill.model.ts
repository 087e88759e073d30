import { Field, Float, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { ArgumentPlace, HttpBody, HttpMethod } from '@palabre/openapi';
import type { JsonValue } from '@palabre/json';

import { enumType, Nullable, Json } from '../../common/schema/fields.js';

export const HttpMethodEnum = enumType<HttpMethod>('HttpMethod', 'How an HTTP skill calls its service.', {
  GET: 'Reads.',
  POST: 'Makes something, or starts it.',
  PUT: 'Puts something in the place of what was there.',
  PATCH: 'Changes a part of something.',
  DELETE: 'Removes.',
});

const HttpBodyEnum = enumType<HttpBody>('HttpBody', 'What the arguments are sent as.', {
  JSON: 'A JSON object with a field for each.',
  FORM: 'A form, as browsers send it: application/x-www-form-urlencoded.',
});

const ArgumentPlaceEnum = enumType<ArgumentPlace>(
  'HttpArgumentPlace',
  'Where in a request an argument goes.',
  {
    QUERY: 'A parameter of the address; a list is the same parameter several times.',
    HEADER: 'A header.',
    BODY: 'A field of the body.',
    WHOLE_BODY: 'The body itself, as JSON.',
  },
);

const SecretPlaceEnum = enumType('HttpSecretPlace', 'Where in a request a secret goes.', {
  HEADER: 'A header, such as Authorization.',
  QUERY: 'A parameter of the address, for services that know nothing better.',
});
type SecretPlace = keyof typeof SecretPlaceEnum;

@ObjectType({ description: 'A header of a request.' })
class HttpHeader {
  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => String, { description: 'Its value; secrets read •••.' })
  value!: string;
}

@ObjectType({ description: 'A secret that is sent with every call. Its value is never shown.' })
export class HttpSecret {
  @Field(() => SecretPlaceEnum, { description: 'Where it goes.' })
  in!: SecretPlace;

  @Field(() => String, { description: 'The name of the header or parameter.' })
  name!: string;
}

@ObjectType({ description: 'Where an argument goes that would go elsewhere otherwise.' })
class HttpArgument {
  @Field(() => String, { description: 'A property of the parameters.' })
  argument!: string;

  @Field(() => ArgumentPlaceEnum, { description: 'Where it goes.' })
  in!: ArgumentPlace;

  @Field(() => String, { description: 'What it is called there.' })
  name!: string;
}

@ObjectType({ description: 'How an HTTP skill calls its service.' })
export class HttpSkillSettings {
  @Field(() => HttpMethodEnum, { description: 'The method.' })
  method!: HttpMethod;

  @Field(() => String, { description: 'The address, with arguments in braces (RFC 6570).' })
  url!: string;

  @Field(() => [HttpHeader], { description: 'Sent with every call.' })
  headers!: HttpHeader[];

  @Field(() => [HttpSecret], { description: 'Sent with every call, and never shown.' })
  secrets!: HttpSecret[];

  @Nullable(() => HttpBodyEnum, 'What arguments that go nowhere else make up; null: they go to the address.')
  body!: HttpBody | null;

  @Field(() => [HttpArgument], { description: 'Arguments that have a place of their own.' })
  placements!: HttpArgument[];

  @Nullable(() => String, 'JSONPath of what the model gets of the answer; null: all of it.')
  resultPath!: string | null;

  @Field(() => Float, { description: 'How long a call may take.' })
  timeoutSeconds!: number;
}

@ObjectType({ description: 'A request as it was sent, without secrets.' })
class HttpSkillRequest {
  @Field(() => HttpMethodEnum, { description: 'The method.' })
  method!: HttpMethod;

  @Field(() => String, { description: 'The address.' })
  url!: string;

  @Field(() => [HttpHeader], { description: 'The headers.' })
  headers!: HttpHeader[];

  @Nullable(() => String, 'Its first 4000 characters; null: it had none.')
  body!: string | null;
}

@ObjectType({ description: 'What a service answered, without secrets.' })
class HttpSkillResponse {
  @Field(() => Int, { description: 'The status.' })
  status!: number;

  @Field(() => String, { description: 'What it says its answer is; empty when it does not.' })
  mediaType!: string;

  @Field(() => Int, { description: 'The size of the body.' })
  bytes!: number;

  @Field(() => String, { description: 'The first 4000 characters of the body; empty when it is no text.' })
  excerpt!: string;
}

@ObjectType({ description: 'How a call of an HTTP skill went.' })
export class HttpSkillTrial {
  @Field(() => Int, { description: 'How long it took.' })
  durationMs!: number;

  @Nullable(() => HttpSkillRequest, 'What was sent; null: nothing was.')
  request!: HttpSkillRequest | null;

  @Nullable(() => HttpSkillResponse, 'What came back; null: nothing did.')
  response!: HttpSkillResponse | null;

  @Nullable(() => Json, 'What a model gets; null after an error.')
  result!: JsonValue;

  @Nullable(() => String, 'What a model is told went wrong; null: nothing.')
  error!: string | null;
}

@InputType({ description: 'A header that is sent with every call. What is secret is given as such.' })
export class HttpHeaderInput {
  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => String, { description: 'At most 2000 characters of ASCII.' })
  value!: string;
}

@InputType({ description: 'A secret that is sent with every call: stored encrypted, never shown again.' })
export class HttpSecretInput {
  @Field(() => SecretPlaceEnum, { defaultValue: 'HEADER', description: 'Where it goes.' })
  in!: SecretPlace;

  @Field(() => String, { description: 'The name of the header or parameter, such as Authorization.' })
  name!: string;

  @Field(() => String, { description: 'All of it, such as “Bearer …”; 4 to 4096 characters of ASCII.' })
  value!: string;
}

@InputType({ description: 'Where an argument goes that would go elsewhere otherwise.' })
class HttpArgumentInput {
  @Field(() => String, { description: 'A property of the parameters.' })
  argument!: string;

  @Field(() => ArgumentPlaceEnum, { description: 'Where it goes.' })
  in!: ArgumentPlace;

  @Nullable(() => String, 'What it is called there; left out: as the argument.')
  name?: string | null;
}

@InputType({ description: 'An endpoint of the company’s as a skill.' })
export class RegisterHttpSkillInput {
  @Field(() => String, {
    description: 'What the model calls it by: 2 to 63 lowercase letters, digits and _, with a letter first.',
  })
  key!: string;

  @Field(() => String, { description: 'What people call it; at most 200 characters.' })
  name!: string;

  @Field(() => String, {
    description: 'What it does, and when to use it, as the model reads it; at most 4000 characters.',
  })
  description!: string;

  @Nullable(() => String, 'At most 100 characters.')
  category?: string | null;

  @Field(() => HttpMethodEnum, { description: 'The method.' })
  method!: HttpMethod;

  @Field(() => String, {
    description:
      'The address, with arguments in braces (RFC 6570, up to level 3, without + and #): https://api.example.com/items/{id}{?page}. No argument can be part of the host. It is shown: a key in its query is given as a secret.',
  })
  url!: string;

  @Field(() => Json, {
    description:
      'JSON Schema (2020-12) of type object; at most 64,000 characters, 1,000 parts and 20 levels, references within it alone, patterns without look-around.',
  })
  parameters!: JsonValue;

  @Nullable(() => [HttpHeaderInput], 'At most 20.')
  headers?: HttpHeaderInput[] | null;

  @Nullable(
    () => [HttpSecretInput],
    'At most 20. Left out for a skill that is replaced: as they were, if the host is the same.',
  )
  secrets?: HttpSecretInput[] | null;

  @Nullable(
    () => HttpBodyEnum,
    'What arguments that go nowhere else are sent as; null: they go to the address. Left out: JSON for POST, PUT and PATCH, null for GET and DELETE.',
  )
  body?: HttpBody | null;

  @Nullable(() => [HttpArgumentInput], 'Arguments that have a place of their own; at most 100.')
  placements?: HttpArgumentInput[] | null;

  @Nullable(
    () => String,
    'JSONPath (RFC 9535) of what the model gets of a JSON answer, such as $.data.items[*].name. Filters and .. are refused. Left out: all of it.',
  )
  resultPath?: string | null;

  @Nullable(
    () => Boolean,
    'Whether a call may be carried out twice without harm; left out: for GET, PUT and DELETE.',
  )
  idempotent?: boolean | null;

  @Nullable(() => Float, 'How long a call may take, from 1 to 120; 15 if left out.')
  timeoutSeconds?: number | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether an HTTP skill that already has the key is changed; otherwise that is a CONFLICT. Where none has it, one is made either way.',
  })
  replace!: boolean;
}
