import { Field, Float, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { ArgumentPlace, HttpBody, HttpMethod } from '@palabre/openapi';
import type { JsonValue } from '@palabre/json';
import { MAX_PARTS, MAX_SCHEMA_CHARACTERS, MAX_SCHEMA_DEPTH } from '@palabre/json-schema';

import { enumType, Nullable, Json } from '../../common/schema/fields.js';
import { MAX_DESCRIPTION_CHARACTERS, MAX_HEADERS, MAX_PLACEMENTS, TIMEOUTS } from './http-skill-input.js';

export const HttpMethodEnum = enumType<HttpMethod>('HttpMethod', 'How an HTTP skill calls its service.', {
  GET: 'Reads data.',
  POST: 'Creates or starts something.',
  PUT: 'Replaces something.',
  PATCH: 'Changes a part of something.',
  DELETE: 'Deletes something.',
});

const HttpBodyEnum = enumType<HttpBody>('HttpBody', 'The format of the request body.', {
  JSON: 'A JSON object with a field for each argument.',
  FORM: 'A form, as sent by browsers: application/x-www-form-urlencoded.',
});

const ArgumentPlaceEnum = enumType<ArgumentPlace>(
  'HttpArgumentPlace',
  'Where an argument goes in the request.',
  {
    QUERY: 'A query parameter. A list repeats the parameter.',
    HEADER: 'A header.',
    BODY: 'A field of the body.',
    WHOLE_BODY: 'The whole body, as JSON.',
  },
);

const SecretPlaceEnum = enumType('HttpSecretPlace', 'Where a secret goes in the request.', {
  HEADER: 'A header, such as Authorization.',
  QUERY: 'A query parameter, for services that support nothing better.',
});
type SecretPlace = keyof typeof SecretPlaceEnum;

@ObjectType({ description: 'A request header.' })
class HttpHeader {
  @Field(() => String, { description: 'The name.' })
  name!: string;

  @Field(() => String, { description: 'The value. Secrets are shown as •••.' })
  value!: string;
}

@ObjectType({ description: 'A secret that is sent with every call. Its value is never shown.' })
export class HttpSecret {
  @Field(() => SecretPlaceEnum, { description: 'Its place in the request.' })
  in!: SecretPlace;

  @Field(() => String, { description: 'The name of the header or parameter.' })
  name!: string;
}

@ObjectType({ description: 'Puts an argument in a place other than the default.' })
class HttpArgument {
  @Field(() => String, { description: 'A name in parameters.' })
  argument!: string;

  @Field(() => ArgumentPlaceEnum, { description: 'Its place in the request.' })
  in!: ArgumentPlace;

  @Field(() => String, { description: 'Its name in the request.' })
  name!: string;
}

@ObjectType({ description: 'How an HTTP skill calls its service.' })
export class HttpSkillSettings {
  @Field(() => HttpMethodEnum, { description: 'The HTTP method.' })
  method!: HttpMethod;

  @Field(() => String, { description: 'The address, with arguments in braces (RFC 6570).' })
  url!: string;

  @Field(() => [HttpHeader], { description: 'Sent with every call.' })
  headers!: HttpHeader[];

  @Field(() => [HttpSecret], { description: 'Sent with every call. Values are never shown.' })
  secrets!: HttpSecret[];

  @Nullable(
    () => HttpBodyEnum,
    'The body format of arguments without a place of their own. Null: they go to the address.',
  )
  body!: HttpBody | null;

  @Field(() => [HttpArgument], { description: 'Arguments with a place of their own.' })
  placements!: HttpArgument[];

  @Nullable(() => String, 'The JSONPath of what the model gets from the response. Null: all of it.')
  resultPath!: string | null;

  @Field(() => Float, { description: 'The seconds a call may take.' })
  timeoutSeconds!: number;
}

@ObjectType({ description: 'A request as it was sent, without secrets.' })
class HttpSkillRequest {
  @Field(() => HttpMethodEnum, { description: 'The HTTP method.' })
  method!: HttpMethod;

  @Field(() => String, { description: 'The address.' })
  url!: string;

  @Field(() => [HttpHeader], { description: 'The headers.' })
  headers!: HttpHeader[];

  @Nullable(() => String, 'The first 4000 characters. Null if there was no body.')
  body!: string | null;
}

@ObjectType({ description: 'The response of a service, without secrets.' })
class HttpSkillResponse {
  @Field(() => Int, { description: 'The status code.' })
  status!: number;

  @Field(() => String, { description: 'The declared media type. Empty if the response has none.' })
  mediaType!: string;

  @Field(() => Int, { description: 'The size of the body in bytes.' })
  bytes!: number;

  @Field(() => String, { description: 'The first 4000 characters of the body. Empty if it is not text.' })
  excerpt!: string;
}

@ObjectType({ description: 'The outcome of one call of an HTTP skill.' })
export class HttpSkillTrial {
  @Field(() => Int, { description: 'The duration, in milliseconds.' })
  durationMs!: number;

  @Nullable(() => HttpSkillRequest, 'The request. Null if none was sent.')
  request!: HttpSkillRequest | null;

  @Nullable(() => HttpSkillResponse, 'The response. Null if there was none.')
  response!: HttpSkillResponse | null;

  @Nullable(() => Json, 'What the model gets. Null after an error.')
  result!: JsonValue;

  @Nullable(() => String, 'The error that the model gets. Null if there was none.')
  error!: string | null;
}

@InputType({ description: 'A header sent with every call. Give secrets in secrets instead.' })
export class HttpHeaderInput {
  @Field(() => String, { description: 'The name.' })
  name!: string;

  @Field(() => String, { description: 'At most 2000 ASCII characters.' })
  value!: string;
}

@InputType({ description: 'A secret that is sent with every call. Stored encrypted and never shown again.' })
export class HttpSecretInput {
  @Field(() => SecretPlaceEnum, { defaultValue: 'HEADER', description: 'Its place in the request.' })
  in!: SecretPlace;

  @Field(() => String, { description: 'The name of the header or parameter, such as Authorization.' })
  name!: string;

  @Field(() => String, { description: 'The complete value, such as “Bearer …”: 4 to 4096 ASCII characters.' })
  value!: string;
}

@InputType({ description: 'Puts an argument in a place other than the default.' })
class HttpArgumentInput {
  @Field(() => String, { description: 'A name in parameters.' })
  argument!: string;

  @Field(() => ArgumentPlaceEnum, { description: 'Its place in the request.' })
  in!: ArgumentPlace;

  @Nullable(() => String, 'Its name in the request. Default: the same.')
  name?: string | null;
}

@InputType({ description: 'An endpoint of the company that becomes a skill.' })
export class RegisterHttpSkillInput {
  @Field(() => String, {
    description:
      'The skill’s name for the model: 2 to 63 lowercase letters, digits and _, starting with a letter.',
  })
  key!: string;

  @Field(() => String, { description: 'The display name: at most 200 characters.' })
  name!: string;

  @Field(() => String, {
    description: `For the model: what the skill does and when to use it. At most ${MAX_DESCRIPTION_CHARACTERS} characters.`,
  })
  description!: string;

  @Nullable(() => String, 'At most 100 characters.')
  category?: string | null;

  @Field(() => HttpMethodEnum, { description: 'The HTTP method.' })
  method!: HttpMethod;

  @Field(() => String, {
    description:
      'The address, with arguments in braces (RFC 6570, up to level 3, without + and #): https://api.example.com/items/{id}{?page}. The host cannot contain arguments. The address is shown, so give a key in its query as a secret.',
  })
  url!: string;

  @Field(() => Json, {
    description: `A JSON Schema (2020-12) of type object: at most ${MAX_SCHEMA_CHARACTERS} characters, ${MAX_PARTS} parts and ${MAX_SCHEMA_DEPTH} levels, with local references only and no look-around in patterns.`,
  })
  parameters!: JsonValue;

  @Nullable(() => [HttpHeaderInput], `At most ${MAX_HEADERS}.`)
  headers?: HttpHeaderInput[] | null;

  @Nullable(
    () => [HttpSecretInput],
    `At most ${MAX_HEADERS}. If omitted when replacing a skill, they stay as they are if the host is the same.`,
  )
  secrets?: HttpSecretInput[] | null;

  @Nullable(
    () => HttpBodyEnum,
    'The body format of arguments without a place of their own. Null: they go into the address. Default: JSON for POST, PUT and PATCH, null for GET and DELETE.',
  )
  body?: HttpBody | null;

  @Nullable(() => [HttpArgumentInput], `Arguments with a place of their own: at most ${MAX_PLACEMENTS}.`)
  placements?: HttpArgumentInput[] | null;

  @Nullable(
    () => String,
    'The JSONPath (RFC 9535) of what the model gets from a JSON response, such as $.data.items[*].name. Filters and .. are refused. Default: all of it.',
  )
  resultPath?: string | null;

  @Nullable(() => Boolean, 'Whether a call can safely be made twice. Default: true for GET, PUT and DELETE.')
  idempotent?: boolean | null;

  @Nullable(() => Float, `The seconds a call may take: ${TIMEOUTS}.`)
  timeoutSeconds?: number | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether to change an existing HTTP skill with this key. If false, an existing key is a CONFLICT. A new key is created either way.',
  })
  replace!: boolean;
}
