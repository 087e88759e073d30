/** The public interface. Nothing else of the package may be imported. */
export {
  checkedSchema,
  faultOfSchema,
  MAX_SCHEMA_CHARACTERS,
  MAX_SCHEMA_DEPTH,
  standaloneSchema,
  wholeSchema,
} from './company-schema.js';
export { argumentSchemas, SchemaCompiler, type Validator } from './compiled-schema.js';
export { faultOfFlatSchema } from './flat-schema.js';
export { PatternChoice } from './pattern-choice.js';
export { toDraft2020 } from './schema-dialects.js';
export { schemaForModels } from './schema-for-models.js';
export { filterKeywords, mapSchemas, MAX_PARTS, partsOf, schemasOf } from './schema-keywords.js';
export { BadSchema, lookUp, withoutReferences } from './schema-references.js';
