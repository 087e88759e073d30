/** Tenants' statements run under this role: it cannot log in and cannot bypass row-level security. */
export const TENANT_ROLE = 'palabre_app';

/**
 * The installation's own statements (which company does a token name, which turns have no owner) run under
 * this role. Its policies are few, each on one table, and it cannot bypass row-level security either.
 */
export const SYSTEM_ROLE = 'palabre_system';

/** The transaction-local setting that row-level security compares `company_id` with. */
export const COMPANY_SETTING = 'palabre.company_id';
