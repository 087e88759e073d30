import { useState } from 'react';
import { useMutation } from 'urql';

import type { CompanyScreenQuery } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { Failure } from '../parts/states.js';
import { updateCompanyMutation } from './company-operations.js';

const FIELDS = ['name', 'sector', 'country', 'city', 'language'] as const;

/** What assistants know of the company. */
export function Profile({ company }: { company: CompanyScreenQuery['company'] }) {
  const [given, setGiven] = useState(company);
  const [{ fetching, error, data }, update] = useMutation(updateCompanyMutation);
  const save = (): void => {
    const { name, sector, country, city, headcount, language } = given;
    void update({ input: { name, sector, country, city, headcount, language } });
  };
  return (
    <section className="company-part" aria-label={t('company.profile')}>
      <h2>{t('company.profile')}</h2>
      <form
        className="card profile"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {FIELDS.map((field) => (
          <label key={field} className="field">
            <span>{t(`company.${field}`)}</span>
            <input
              value={given[field] ?? ''}
              onChange={({ target }) =>
                setGiven({ ...given, [field]: target.value === '' ? null : target.value })
              }
            />
          </label>
        ))}
        <label className="field">
          <span>{t('company.headcount')}</span>
          <input
            type="number"
            min="0"
            value={given.headcount ?? ''}
            onChange={({ target }) =>
              setGiven({ ...given, headcount: target.value === '' ? null : Number(target.value) })
            }
          />
        </label>
        {error && <Failure error={error} />}
        <div className="actions">
          {data && !error && (
            <span className="soft" role="status">
              {t('company.saved')}
            </span>
          )}
          <button type="submit" className="button main" disabled={fetching}>
            {t('action.save')}
          </button>
        </div>
      </form>
    </section>
  );
}
