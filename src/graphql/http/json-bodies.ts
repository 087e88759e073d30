import { BadRequestException } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { errorCodes, type RawServerDefault } from 'fastify';

import { MAX_BODY_BYTES } from '../limits/operation-limits.js';

const NOT_JSON = 'The body is not valid JSON.';
const UNUSABLE_KEY = 'No key in the body may be `__proto__`, nor `prototype` inside `constructor`.';

/** Has bodies of JSON read as Fastify reads them, and says which of two things was wrong that it calls the same. */
export const readJsonBodies = (app: NestFastifyApplication): void => {
  const read = app.getHttpAdapter().getInstance().getDefaultJsonParser('error', 'error');
  const options = { bodyLimit: MAX_BODY_BYTES };
  app.useBodyParser<RawServerDefault>('application/json', options, (request, body, done) => {
    const text = body.toString();
    read(request, text, (error, value) => {
      if (!(error instanceof errorCodes.FST_ERR_CTP_INVALID_JSON_BODY)) done(error, value);
      else done(new BadRequestException(isJson(text) ? UNUSABLE_KEY : NOT_JSON));
    });
  });
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
