import base from '../../jest.config.js';

export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/chaos'],
  testMatch: ['**/*.chaos.ts'],
};
