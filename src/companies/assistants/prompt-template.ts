/** The variables of a base prompt. A template must use each at least once, and no others. */
export const templateVariables = [
  'date',
  'name',
  'language',
  'profile',
  'initial_context_title',
  'initial_context_description',
  'skill',
] as const;
export type TemplateVariable = (typeof templateVariables)[number];
export type TemplateValues = Record<TemplateVariable, string>;

/** In UTF-16 units, as `String.length` counts. */
export const maxTemplateLength = 20_000;
export const MAX_NOTE_CHARACTERS = 500;

/** Why a template cannot be published. `line` and `column` start at 1. `message` is shown to the author. */
export type TemplateProblem = { message: string } & (
  | { kind: 'UNKNOWN_VARIABLE'; variable: string; line: number; column: number }
  | { kind: 'MISSING_VARIABLE'; variable: TemplateVariable }
  | { kind: 'TOO_LONG'; length: number }
);

// Letters of any script, so that a mistake such as {compañía} is reported and does not reach the model.
const placeholder = /\{([\p{ID_Start}_]\p{ID_Continue}*)\}/gu;
const lineBreak = /\r\n|\r|\n/g;

function isVariable(name: string): name is TemplateVariable {
  return (templateVariables as readonly string[]).includes(name);
}

/** All problems of a template. Empty: it can be published. */
export function checkTemplate(template: string): TemplateProblem[] {
  return [...tooLong(template), ...unknownVariables(template), ...missingVariables(template)];
}

/** Fills in a checked template. A value that contains `{date}` is not filled in again. */
export function renderTemplate(template: string, values: TemplateValues): string {
  return template.replace(placeholder, (whole, name: string) => (isVariable(name) ? values[name] : whole));
}

function tooLong(template: string): TemplateProblem[] {
  const { length } = template;
  if (length <= maxTemplateLength) return [];
  const message = `The template has ${length} characters; at most ${maxTemplateLength} are allowed.`;
  return [{ kind: 'TOO_LONG', length, message }];
}

function unknownVariables(template: string): TemplateProblem[] {
  const problems: TemplateProblem[] = [];
  const breaks = template.matchAll(lineBreak);
  let nextBreak = breaks.next();
  let line = 1;
  let lineStart = 0;
  for (const match of template.matchAll(placeholder)) {
    const variable = match[1] ?? '';
    if (isVariable(variable)) continue;
    while (!nextBreak.done && nextBreak.value.index < match.index) {
      line += 1;
      lineStart = nextBreak.value.index + nextBreak.value[0].length;
      nextBreak = breaks.next();
    }
    const column = match.index - lineStart + 1;
    const message = `{${variable}} at line ${line}, column ${column} is not a variable of a prompt.`;
    problems.push({ kind: 'UNKNOWN_VARIABLE', variable, line, column, message });
  }
  return problems;
}

function missingVariables(template: string): TemplateProblem[] {
  const used = new Set([...template.matchAll(placeholder)].map((match) => match[1]));
  return templateVariables
    .filter((variable) => !used.has(variable))
    .map((variable) => ({
      kind: 'MISSING_VARIABLE',
      variable,
      message: `{${variable}} does not occur in the template.`,
    }));
}
