import { Button } from '@mantine/core';
import { IconDownload, IconPrinter, IconWriting } from '@tabler/icons-react';
import { respond } from '../../api/call.ts';
import type { ConsentEvidence } from '../../api/operations.ts';
import { AddButton } from '../../parts/add-button.tsx';
import { ActionMenu } from '../../parts/actions.tsx';
import { saveFile, saveResponse } from '../../parts/download.ts';
import { toast } from '../../parts/toast.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { useLanguage } from '../../api/language.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { RecordDialog } from '../consent/record-dialog.tsx';

export function EvidenceActions({
  contact,
  evidence,
}: {
  contact: string;
  evidence: ConsentEvidence | undefined;
}) {
  const t = useMessages('consent_evidence');
  const { slug } = useInstance();
  const language = useLanguage();
  const asPage = async (): Promise<void> => {
    const query = { contact, format: 'html', language } as const;
    try {
      await saveResponse(await respond('panel_get_consent_evidence', { query }, { slug }), () => undefined);
      toast(t.saved);
    } catch (error) {
      toast((error as Error).message);
    }
  };
  return (
    <>
      {evidence && evidence.events.length > 0 && (
        <>
          <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => print()}>
            {t.print}
          </Button>
          <ActionMenu
            label={t.download}
            icon={IconDownload}
            actions={[
              { label: t.as_page, run: asPage },
              { label: t.as_json, run: () => saveFile(fileName(evidence), asJson(evidence)) },
            ]}
          />
        </>
      )}
      <AddButton
        variant="default"
        label={t.record}
        icon={IconWriting}
        needs="panel_record_consent_event"
        dialog={(state) => <RecordDialog {...state} contact={contact} />}
      />
    </>
  );
}

const fileName = ({ generated_at }: ConsentEvidence): string =>
  `consent-evidence-${generated_at.slice(0, 10)}.json`;

const asJson = (evidence: ConsentEvidence): Blob =>
  new Blob([JSON.stringify(evidence, null, 2)], { type: 'application/json' });
