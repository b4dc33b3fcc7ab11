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

function Standing({ form, submission: { id, status, is_return } }: Shown & { form: Form }) {
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
        {consents.map(({ consent_event_id, name, version, status }) => (
          <Group key={consent_event_id} gap="sm">
            <Text size="sm">{t.agreed(name, version)}</Text>
            <SubmissionState status={status} />
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
