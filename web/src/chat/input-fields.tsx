import { t } from '../i18n/catalogue.js';

interface Choice {
  value: unknown;
  text: string;
}

/** One thing that is asked, of a flat JSON Schema. */
interface Field {
  name: string;
  title: string;
  description: string | null;
  isRequired: boolean;
  kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices';
  format: string;
  choices: readonly Choice[];
  initial: unknown;
  schema: Schema;
}

type Schema = Readonly<Record<string, unknown>>;

export function fieldsOf(schema: unknown): Field[] {
  const { properties, required } = schemaIn(schema);
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(schemaIn(properties)).map(([name, property]) =>
    fieldOf(name, schemaIn(property), names.includes(name)),
  );
}

function fieldOf(name: string, schema: Schema, isRequired: boolean): Field {
  const { title, description, type, format, items } = schema;
  // So the server calls the only text of a question without a schema.
  const isOnlyText = name === 'answer' && type === 'string';
  const choices = choicesIn(type === 'array' ? schemaIn(items) : schema);
  return {
    name,
    title: typeof title === 'string' ? title : isOnlyText ? t('input.yourAnswer') : name,
    description: typeof description === 'string' ? description : null,
    isRequired,
    kind: kindOf(type, choices),
    format: typeof format === 'string' ? format : '',
    choices,
    initial: schema.default,
    schema,
  };
}

function kindOf(type: unknown, choices: readonly Choice[]): Field['kind'] {
  if (type === 'array') return 'choices';
  if (choices.length > 0) return 'choice';
  return type === 'number' || type === 'integer' || type === 'boolean' ? type : 'text';
}

/** By `enum`, with or without names, or by constants with titles, as MCP servers write them. */
function choicesIn({ enum: values, enumNames, oneOf, anyOf }: Schema): Choice[] {
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  if (Array.isArray(values)) {
    return values.map((value: unknown, index) => ({ value, text: String(names[index] ?? value) }));
  }
  const titled: unknown = oneOf ?? anyOf;
  return (Array.isArray(titled) ? titled : [])
    .map(schemaIn)
    .filter((one) => 'const' in one)
    .map(({ const: value, title }) => ({ value, text: String(title ?? value) }));
}

function schemaIn(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** What was filled in, without what was left empty. */
export function valueOf(fields: readonly Field[], form: FormData): Record<string, unknown> {
  const values = fields.map((field) => [field.name, valueIn(field, form)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function valueIn({ name, kind, format, choices, isRequired }: Field, form: FormData): unknown {
  const given = form.getAll(name).map(String);
  const [text = ''] = given;
  if (kind === 'boolean') return text !== '';
  if (kind === 'choices') {
    const chosen = given.map((index) => choices[Number(index)]?.value);
    return chosen.length > 0 || isRequired ? chosen : undefined;
  }
  if (text === '') return undefined;
  if (kind === 'choice') return choices[Number(text)]?.value;
  if (kind === 'text') return format === 'date-time' ? new Date(text).toISOString() : text;
  return Number(text);
}

export function InputField({ field }: { field: Field }) {
  const { name, kind, choices, isRequired, initial } = field;
  if (kind === 'choices') return <Choices field={field} />;
  if (kind === 'boolean') {
    return (
      <label className="check">
        <input type="checkbox" name={name} defaultChecked={initial === true} />
        <FieldLabel field={field} />
      </label>
    );
  }
  return (
    <label className="field">
      <FieldLabel field={field} />
      {kind === 'choice' ? (
        <select name={name} required={isRequired} defaultValue={indexOf(choices, initial)}>
          <option value="">{t('input.choose')}</option>
          {choices.map(({ text }, index) => (
            <option key={text} value={index}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <Written field={field} />
      )}
    </label>
  );
}

function indexOf(choices: readonly Choice[], value: unknown): string {
  const index = choices.findIndex((choice) => choice.value === value);
  return index < 0 ? '' : String(index);
}

const INPUT_TYPES: Readonly<Record<string, string>> = {
  email: 'email',
  uri: 'url',
  date: 'date',
  'date-time': 'datetime-local',
};

function Written({ field: { name, kind, format, isRequired, initial, schema } }: { field: Field }) {
  const given = {
    name,
    required: isRequired,
    defaultValue: typeof initial === 'string' || typeof initial === 'number' ? initial : '',
  };
  const limit = (key: string): number | undefined =>
    typeof schema[key] === 'number' ? schema[key] : undefined;
  if (kind !== 'text') {
    const step = kind === 'integer' ? 1 : 'any';
    return <input type="number" step={step} min={limit('minimum')} max={limit('maximum')} {...given} />;
  }
  const lengths = { minLength: limit('minLength'), maxLength: limit('maxLength') ?? 10_000 };
  const type = INPUT_TYPES[format];
  return type ? <input type={type} {...lengths} {...given} /> : <textarea rows={2} {...lengths} {...given} />;
}

function Choices({ field }: { field: Field }) {
  const { name, choices, initial } = field;
  const before: readonly unknown[] = Array.isArray(initial) ? initial : [];
  return (
    <fieldset className="choices">
      <legend>
        <FieldLabel field={field} />
      </legend>
      {choices.map(({ value, text }, index) => (
        <label key={text} className="check">
          <input type="checkbox" name={name} value={index} defaultChecked={before.includes(value)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

function FieldLabel({ field: { title, description, isRequired, kind } }: { field: Field }) {
  return (
    <span>
      {title}
      {isRequired && kind !== 'boolean' && <span className="soft"> ({t('input.required')})</span>}
      {description !== null && <span className="soft small description"> {description}</span>}
    </span>
  );
}
