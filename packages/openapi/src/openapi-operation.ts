import { BadSchema, PatternChoice, standaloneSchema } from '@palabre/json-schema';

import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';
import { HEADER_NAME, type HttpBody, type HttpMethod, isTakenHeader, type Placement } from './http-call.js';
import { BadTemplate, readTemplate } from './url-template.js';
import {
  NamedArguments,
  fieldsOf,
  holdsObjects,
  jsonSchemaOf,
  allowDigitStrings,
  withoutReadOnly,
} from './openapi-schema.js';
import { followed, type OpenApiDocument } from './openapi-document.js';

/** One operation of a document, as it stands there. */
interface FoundOperation {
  method: HttpMethod;
  path: string;
  /** Parameters of the path, and those of the operation, which have priority. */
  parameters: readonly JsonValue[];
  operation: JsonObject;
}

export interface ReadOperation {
  /** The path as the rest of an address template. */
  template: string;
  /** Null: the operation cannot be called. */
  parameters: JsonObject | null;
  placements: Placement[];
  body: HttpBody | null;
  /** What is left out or impossible, in words for people. */
  problems: string[];
}

/** Reads what a call of an operation needs. Lists problems instead of throwing. */
export function readOperation(found: FoundOperation, document: OpenApiDocument): ReadOperation {
  const reader = new OperationReader(found, document);
  try {
    return reader.read();
  } catch (error) {
    if (!(error instanceof BadSchema || error instanceof BadTemplate || error instanceof RangeError))
      throw error;
    const problem = error instanceof RangeError ? 'It is nested too deep.' : error.message;
    return { template: found.path, parameters: null, placements: [], body: null, problems: [problem] };
  }
}

/** Headers that the call sets. OpenAPI ignores parameters with these names. */
const ownHeaders = new Set(['accept', 'content-type', 'authorization']);

const MAX_PATTERNS_TOLD = 5;
const MAX_PATTERN_CHARACTERS = 100;

/** The most that is converted for an operation: several times a skill's limit, because documents repeat at will. */
const MAX_CONVERTED_CHARACTERS = 256_000;
const MAX_PARAMETERS = 500;
const MAX_PATH_CHARACTERS = 2_000;

class OperationReader {
  private readonly args = new NamedArguments();
  private readonly problems: string[] = [];
  private readonly patterns = new PatternChoice();
  private readonly pathArguments = new Map<string, string>();
  private convertedCharacters = 0;
  /** The operation cannot be called. */
  private isImpossible = false;

  constructor(
    private readonly found: FoundOperation,
    private readonly document: OpenApiDocument,
  ) {}

  read(): ReadOperation {
    // After the server's address, such a path would change the host.
    if (!this.found.path.startsWith('/')) throw new BadTemplate('Its path does not begin with a slash.');
    if (this.found.path.length > MAX_PATH_CHARACTERS) throw new BadTemplate('Its path is too long.');
    if (this.found.parameters.length > MAX_PARAMETERS)
      throw new BadSchema(`It has more than ${MAX_PARAMETERS} parameters.`);
    for (const parameter of this.parameters()) this.addParameter(parameter);
    const template = this.template();
    const body = this.readBody();
    readTemplate(`https://service.example${template}`);
    const schema = standaloneSchema(this.args.schema);
    this.tellPatterns();
    return {
      template,
      parameters: this.isImpossible ? null : schema,
      placements: this.args.placements,
      body,
      problems: this.problems,
    };
  }

  /** Each name and place once. The last parameter wins. */
  private parameters(): JsonObject[] {
    const known = new Map<string, JsonObject>();
    for (const parameter of this.found.parameters) {
      const found = followed(parameter, this.document.root);
      if (typeof found.name === 'string') known.set(`${String(found.in)} ${found.name}`, found);
    }
    // Parameters of the path choose their names first.
    return [...known.values()].toSorted((a, b) => Number(b.in === 'path') - Number(a.in === 'path'));
  }

  private addParameter(parameter: JsonObject): void {
    const name = String(parameter.name);
    const required = parameter.required === true;
    // All of these are text in the request, so large integers can be given as strings.
    const schema = allowDigitStrings(this.schemaOf(parameter));
    if (parameter.in === 'path') {
      if (!this.found.path.includes(`{${name}}`)) this.problems.push(`The path has no {${name}}: left out.`);
      else {
        if (parameter.style === 'matrix' || parameter.style === 'label')
          this.problems.push(`The parameter ${name} of the path is sent plainly, not as ${parameter.style}.`);
        this.pathArguments.set(name, this.args.add({ place: 'PATH', name, schema, required: true }));
      }
    } else if (parameter.in === 'query') {
      if (parameter.style === 'deepObject')
        this.problems.push(`The parameter ${name} is sent as JSON, not in brackets.`);
      else if (!isJsonObject(parameter.content) && holdsObjects(schema))
        this.problems.push(`Objects in the parameter ${name} are sent as JSON.`);
      if ((parameter.explode === false || isJsonObject(parameter.content)) && schema.type === 'array')
        this.problems.push(`Lists in ${name} are sent as repeated parameters.`);
      this.args.add({ place: 'QUERY', name, schema, required });
    } else if (parameter.in === 'header') {
      this.addHeader(name, schema, required);
    } else {
      this.leaveOut(`The parameter ${name} is a cookie, which cannot be sent`, required);
    }
  }

  private addHeader(name: string, schema: JsonObject, required: boolean): void {
    if (ownHeaders.has(name.toLowerCase())) return;
    if (name.toLowerCase() === 'cookie' || !HEADER_NAME.test(name) || isTakenHeader(name)) {
      this.leaveOut(`The header ${name} cannot be set`, required);
    } else {
      this.args.add({ place: 'HEADER', name, schema, required });
    }
  }

  private schemaOf(parameter: JsonObject): JsonObject {
    const content = isJsonObject(parameter.content) ? Object.values(parameter.content)[0] : undefined;
    const schema = isJsonObject(content) ? content.schema : parameter.schema;
    const converted = isJsonObject(schema) ? this.converted(schema) : { type: 'string' };
    const { description } = parameter;
    return typeof description === 'string' ? { ...converted, description } : converted;
  }

  private converted(schema: JsonObject): JsonObject {
    const converted = jsonSchemaOf(schema, this.document, this.patterns);
    this.convertedCharacters += JSON.stringify(converted).length;
    if (this.convertedCharacters > MAX_CONVERTED_CHARACTERS)
      throw new BadSchema('With their references, the schemas of its arguments are too large.');
    return converted;
  }

  /** A document may repeat the same long patterns. */
  private tellPatterns(): void {
    const patterns = [...this.patterns.unusable];
    for (const pattern of patterns.slice(0, MAX_PATTERNS_TOLD)) {
      const shown = pattern.slice(0, MAX_PATTERN_CHARACTERS).toWellFormed();
      this.problems.push(
        `The pattern ${shown} is left to the service: it is not valid, too long, repeats too much, or has look-around or back references.`,
      );
    }
    const more = patterns.length - MAX_PATTERNS_TOLD;
    if (more > 0) this.problems.push(`So are ${more} other patterns.`);
  }

  private template(): string {
    return this.found.path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
      const known = this.pathArguments.get(name);
      if (known !== undefined) return `{${known}}`;
      this.problems.push(`The parameter ${name} of the path is described nowhere: taken for a text.`);
      const argument = this.args.add({ place: 'PATH', name, schema: { type: 'string' }, required: true });
      this.pathArguments.set(name, argument);
      return `{${argument}}`;
    });
  }

  private readBody(): HttpBody | null {
    const { requestBody } = this.found.operation;
    if (requestBody === undefined) return null;
    const body = followed(requestBody, this.document.root);
    const required = body.required === true;
    const content = isJsonObject(body.content) ? body.content : {};
    const type = typeOf(content);
    const media = type === null ? undefined : content[type.name];
    if (!type || this.found.method === 'GET') {
      this.leaveBodyOut(Object.keys(content), body.required);
      return null;
    }
    if (type.body === 'JSON' && !/^(?:application\/json|\*\/\*)/i.test(type.name))
      this.problems.push(`The body is sent as application/json, not as ${type.name}.`);
    const schema =
      isJsonObject(media) && isJsonObject(media.schema) ? withoutReadOnly(this.converted(media.schema)) : {};
    return this.addBody(schema, type.body, required);
  }

  private leaveBodyOut(types: readonly string[], required: JsonValue | undefined): void {
    const problem = `A body of ${types.join(', ') || 'no type'} cannot be sent with ${this.found.method}`;
    // Descriptions of uploads often forget to say that the file is required.
    const isUpload = types.some((type) => /^multipart\//i.test(type)) && this.found.method !== 'GET';
    if (isUpload && required === undefined) {
      this.isImpossible = true;
      this.problems.push(`${problem}, and nothing says that it may be left out.`);
    } else {
      this.leaveOut(problem, required === true);
    }
  }

  private addBody(schema: JsonObject, body: HttpBody, required: boolean): HttpBody | null {
    const fields = fieldsOf(schema);
    if (fields) {
      const needed = new Set(required ? fields.required : []);
      for (const [name, field] of Object.entries(fields.properties)) {
        const schema = isJsonObject(field) ? field : {};
        if (body === 'FORM' && holdsObjects(schema))
          this.problems.push(`Objects in the field ${name} of the form are sent as JSON, not in brackets.`);
        this.args.add({ place: 'BODY', name, schema, required: needed.has(name) });
      }
      return body;
    }
    if (body === 'FORM') {
      this.leaveOut('A form without named fields cannot be sent', required);
      return null;
    }
    this.args.add({ place: 'WHOLE_BODY', name: 'body', schema, required });
    return 'JSON';
  }

  private leaveOut(problem: string, required: boolean): void {
    this.isImpossible ||= required;
    this.problems.push(required ? `${problem}, and it is required.` : `${problem}: left out.`);
  }
}

/** The body type that is best to send. */
function typeOf(content: JsonObject): { name: string; body: HttpBody } | null {
  const names = Object.keys(content);
  const json =
    names.find((name) => /^application\/json\b/i.test(name)) ??
    names.find((name) => /^application\/[\w.-]+\+json\b/i.test(name) || name === '*/*');
  if (json !== undefined) return { name: json, body: 'JSON' };
  const form = names.find((name) => /^application\/x-www-form-urlencoded\b/i.test(name));
  return form === undefined ? null : { name: form, body: 'FORM' };
}
