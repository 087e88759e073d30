export * from '@palabre/json';
