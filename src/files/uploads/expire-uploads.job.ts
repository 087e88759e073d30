import { recurringJob } from '../../jobs/recurring-job.js';

/** Removes tickets that are over. */
export const expireUploads = recurringJob({ name: 'expire-uploads', everySeconds: 3_600 });
