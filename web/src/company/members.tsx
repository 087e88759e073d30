import { useMutation } from 'urql';

import { useViewer } from '../app/viewer.js';
import { t } from '../i18n/catalogue.js';
import { dayOf } from '../i18n/dates.js';
import { Failure } from '../parts/states.js';
import { deactivateMutation, type ListedMember, reactivateMutation } from './company-operations.js';

export function Members({ members }: { members: readonly ListedMember[] }) {
  return (
    <section className="company-part" aria-label={t('company.members')}>
      <h2>{t('company.members')}</h2>
      <ul className="plain rows">
        {members.map((member) => (
          <MemberRow key={member.id} member={member} />
        ))}
      </ul>
    </section>
  );
}

function MemberRow({ member: { id, name, email, role, deactivatedAt } }: { member: ListedMember }) {
  const viewer = useViewer();
  const [deactivated, deactivate] = useMutation(deactivateMutation);
  const [reactivated, reactivate] = useMutation(reactivateMutation);
  const error = deactivated.error ?? reactivated.error;
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
        {error && <Failure error={error} />}
      </div>
      {id !== viewer.id &&
        (deactivatedAt === null ? (
          <button type="button" className="button" onClick={() => void deactivate({ id })}>
            {t('company.deactivate')}
          </button>
        ) : (
          <button type="button" className="button" onClick={() => void reactivate({ id })}>
            {t('company.reactivate')}
          </button>
        ))}
    </li>
  );
}
