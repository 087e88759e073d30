import { useState } from 'react';
import { useMutation } from 'urql';

import { useViewer } from '../app/viewer.js';
import { t } from '../i18n/catalogue.js';
import { dayOf } from '../i18n/dates.js';
import { Confirm } from '../parts/dialog.js';
import { Failure } from '../parts/states.js';
import { deactivateMutation, type ListedMember, reactivateMutation } from './company-operations.js';
import { CompanyPart } from './company-part.js';

export function Members({ members }: { members: readonly ListedMember[] }) {
  return (
    <CompanyPart name="members">
      <ul className="plain rows">
        {members.map((member) => (
          <MemberRow key={member.id} member={member} />
        ))}
      </ul>
    </CompanyPart>
  );
}

function MemberRow({ member: { id, name, email, role, deactivatedAt } }: { member: ListedMember }) {
  const viewer = useViewer();
  const [deactivated, deactivate] = useMutation(deactivateMutation);
  const [reactivated, reactivate] = useMutation(reactivateMutation);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <li className="company-row">
      <div>
        <p>
          <strong>{name}</strong> <span className="tag">{t(`role.${role}`)}</span>{' '}
          {deactivatedAt !== null && (
            <span className="tag bad">{t('company.deactivatedOn', { day: dayOf(deactivatedAt) })}</span>
          )}
        </p>
        {email !== null && <p className="soft small">{email}</p>}
        {reactivated.error && <Failure error={reactivated.error} />}
      </div>
      {id !== viewer.id &&
        (deactivatedAt === null ? (
          <button
            type="button"
            className="button"
            aria-label={t('company.deactivateOf', { name })}
            onClick={() => setIsAsking(true)}
          >
            {t('company.deactivate')}
          </button>
        ) : (
          <button type="button" className="button" onClick={() => void reactivate({ id })}>
            {t('company.reactivate')}
          </button>
        ))}
      {isAsking && (
        <Confirm
          title={t('company.deactivateTitle')}
          text={t('company.deactivateText', { name })}
          action={t('company.deactivate')}
          isBusy={deactivated.fetching}
          error={deactivated.error}
          onClose={() => setIsAsking(false)}
          onConfirm={() => void deactivate({ id }).then(({ error }) => error ?? setIsAsking(false))}
        />
      )}
    </li>
  );
}
