import type { CodegenConfig } from '@graphql-codegen/cli';

/** Only types: at run time each screen's module parses its own operations, so that none loads those of another. */
const config: CodegenConfig = {
  schema: '../schema.graphql',
  documents: ['src/**/*.{ts,tsx}', '!src/gql/**'],
  ignoreNoDocuments: true,
  generates: {
    'src/gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false, gqlTagName: 'graphql' },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        defaultScalarType: 'unknown',
        scalars: { DateTime: 'string', LocalDate: 'string', SafeInt: 'number', JSON: 'unknown' },
      },
    },
  },
};

export default config;
