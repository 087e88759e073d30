import { defineEvent } from '../platform/events/domain-events.js';
import type { Document } from './document.entity.js';

/** A document was deleted: listeners erase what they keep of its text, such as prompts, skill calls and quotes. */
export const documentDeleted = defineEvent<Document>('document.deleted');
