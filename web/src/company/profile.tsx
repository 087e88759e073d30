import { useState } from 'react';
import { useMutation } from 'urql';

import type { CompanyScreenQuery } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { Field, submits } from '../parts/form.js';
import { Failure } from '../parts/states.js';
import { updateCompanyMutation } from './company-operations.js';
import { CompanyPart } from './company-part.js';

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
    <CompanyPart name="profile">
      <form className="card profile" onSubmit={submits(save)}>
        {FIELDS.map((field) => (
          <Field
            key={field}
            label={t(`company.${field}`)}
            value={given[field] ?? ''}
            onChange={(text) => setGiven({ ...given, [field]: text === '' ? null : text })}
          />
        ))}
        <Field
          label={t('company.headcount')}
          type="number"
          min="0"
          value={given.headcount ?? ''}
          onChange={(text) => setGiven({ ...given, headcount: text === '' ? null : Number(text) })}
        />
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
    </CompanyPart>
  );
}
