import { Button, Group, Modal, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconMailForward } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Form, FormSubmissionDetail } from '../../api/operations.ts';
import { Facts } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { askedFields, useAnswerText } from './answers.ts';
import type { Catalogue } from './catalogue.ts';
import styles from './form.module.css';
import { SubmissionState } from './submission-state.tsx';

/** One submission: what was answered and agreed to, when and from where. */
export function SubmissionDialog({
  form,
  catalogue,
  id,
  onClose,
}: {
  form: Form;
  catalogue: Catalogue;
  id: number;
  onClose: () => void;
}) {
  const t = useMessages('form_submissions');
  const api = useApi();
  const { data, error } = useQuery(
    api.read('panel_get_form_submission', { params: { id: form.id, submission_id: id } }),
  );
  const submission = data?.id === id ? data : undefined;
  return (
    <Modal opened onClose={onClose} title={t.number(id)} size="lg">
      <ProblemAlert problem={error} />
      {submission ? (
        <Stack gap="lg">
          <Standing form={form} submission={submission} />
          <Answers form={form} catalogue={catalogue} submission={submission} />
          <Agreed submission={submission} />
          <History submission={submission} catalogue={catalogue} />
          <Facts
            facts={[
              { name: t.sent, value: <Time at={submission.created_at} as="exact" /> },
              submission.confirmed_at !== null && {
                name: t.confirmed,
                value: <Time at={submission.confirmed_at} as="exact" />,
              },
              submission.address !== null && { name: t.from, value: submission.address },
              submission.user_agent !== null && { name: t.agent, value: submission.user_agent },
            ]}
          />
        </Stack>
      ) : (
        !error && <Skeleton height={240} />
      )}
    </Modal>
  );
}

type Shown = { submission: FormSubmissionDetail };

function Standing({
  form,
  submission: { id, status, is_return, is_update, replaced_by },
}: Shown & { form: Form }) {
  const t = useMessages('form_submissions');
  const can = useCan();
  const resend = useChange('panel_resend_form_confirmation', { onDone: () => toast(t.resent) });
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <SubmissionState status={status} />
        {is_return && <StatusBadge tone="info">{t.returns}</StatusBadge>}
        <Text size="sm" c="dimmed">
          {is_return ? t.returns_about : t.status_about[status]}
        </Text>
      </Group>
      {is_update && <Mark name={t.update} about={t.update_about} />}
      {replaced_by !== null && <Mark name={t.replaced} about={t.replaced_about} />}
      {status === 'pending' && can('panel_resend_form_confirmation') && (
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconMailForward size={14} />}
            loading={resend.isPending}
            onClick={() => resend.mutate({ params: { id: form.id, submission_id: id } })}
          >
            {t.resend}
          </Button>
        </div>
      )}
      <ProblemAlert problem={resend.error} />
    </Stack>
  );
}

function Mark({ name, about }: { name: string; about: string }) {
  return (
    <Group gap="sm">
      <StatusBadge tone="info">{name}</StatusBadge>
      <Text size="sm" c="dimmed">
        {about}
      </Text>
    </Group>
  );
}

function Answers({ form, catalogue, submission: { answers } }: Shown & { form: Form; catalogue: Catalogue }) {
  const t = useMessages('form_submissions');
  const textOf = useAnswerText();
  const asked = askedFields(form, catalogue);
  const keys = new Set(asked.map(({ field }) => field.field_key));
  // What the form asked for once, and asks for no more.
  const former = Object.keys(answers).filter((key) => !keys.has(key));
  return (
    <section className={styles['answers']}>
      <Title order={3} size="h5" mb="xs">
        {t.answers}
      </Title>
      <Facts
        facts={[
          ...asked.map(({ field, name }) => ({ name, value: textOf(field, answers[field.field_key]) })),
          ...former.map((key) => ({
            name: key,
            value: textOf(
              catalogue.fields.find(({ field_key }) => field_key === key),
              answers[key],
            ),
          })),
        ]}
      />
    </section>
  );
}

function Agreed({ submission: { consents, answers, is_return } }: Shown) {
  const t = useMessages('form_submissions');
  const can = useCan();
  const contact = answers['EMAIL'];
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {t.consents}
      </Title>
      {consents.length === 0 && (
        <Text size="sm" c="dimmed">
          {is_return ? t.returns_consents : t.no_consents}
        </Text>
      )}
      <Stack gap={4}>
        {consents.map(({ consent_event_id, name, version, status, action }) => (
          <Group key={consent_event_id} gap="sm">
            <Text size="sm">{t.agreed(name, version)}</Text>
            {action === 'deny' ? (
              <StatusBadge tone="warn">{t.withdrawn}</StatusBadge>
            ) : (
              <SubmissionState status={status} />
            )}
          </Group>
        ))}
        {consents.length > 0 && typeof contact === 'string' && can('panel_get_consent_evidence') && (
          <PageLink page="consent_evidence" search={{ contact }} size="sm">
            {t.evidence}
          </PageLink>
        )}
      </Stack>
    </section>
  );
}

/** What the same contact sent otherwise, each with its answers. */
function History({ submission: { history }, catalogue }: Shown & { catalogue: Catalogue }) {
  const t = useMessages('form_submissions');
  const textOf = useAnswerText();
  if (history.length === 0) return null;
  const fieldOf = (key: string) => catalogue.fields.find(({ field_key }) => field_key === key);
  return (
    <section>
      <Title order={3} size="h5">
        {t.history}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t.history_about}
      </Text>
      <Stack gap="sm" component="ol" className={styles['history']}>
        {history.map(({ id, form_id, form_name, is_update, created_at, answers }) => (
          <li key={id}>
            <Group gap="sm">
              <PageLink page="form" id={form_id} search={{ tab: 'submissions', open: String(id) }} size="sm">
                {form_name}
              </PageLink>
              <Time at={created_at} />
              {is_update && <StatusBadge tone="info">{t.update}</StatusBadge>}
            </Group>
            <Text size="sm" className={styles['told']}>
              {Object.entries(answers)
                .filter(([key]) => key !== 'EMAIL')
                .map(([key, answer]) => {
                  const field = fieldOf(key);
                  return `${field?.name ?? key}: ${answer === null ? t.taken_back : textOf(field, answer)}`;
                })
                .join(' · ') || t.no_changes}
            </Text>
          </li>
        ))}
      </Stack>
    </section>
  );
}
