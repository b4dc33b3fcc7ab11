import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, type Icon } from '@tabler/icons-react';
import { useEffect, type ReactNode } from 'react';
import type { OperationId } from '../api/request.ts';
import { useMay } from './app/instance.tsx';
import { useUrlState } from './app/url-state.ts';

/** A button and the dialog that it opens. */
export interface Adding {
  label: string;
  icon?: Icon;
  /** Those who may not do that have no button. */
  needs?: OperationId;
  dialog: (state: { opened: boolean; onClose: () => void }) => ReactNode;
}

/** Opens the dialog of the page whose address says `?add=1`, as the palette does. */
function useAsked(open: () => void, isOfPage: boolean): void {
  const [{ add }, change] = useUrlState();
  const isAsked = isOfPage && add !== undefined;
  useEffect(() => {
    if (!isAsked) return;
    open();
    change({ add: undefined }, { replace: true });
  }, [isAsked, open, change]);
}

/** For pages that show the button in more than one place. */
export function useAdding(
  adding: Adding | undefined,
  look: Omit<ButtonProps, 'children'> = {},
  { isOfPage = false }: { isOfPage?: boolean } = {},
) {
  const may = useMay();
  const [opened, { open, close }] = useDisclosure();
  useAsked(open, isOfPage && adding !== undefined);
  if (!adding || (adding.needs !== undefined && !may(adding.needs))) return undefined;
  const { label, icon: Shown = IconPlus, dialog } = adding;
  return {
    button: (
      <Button leftSection={<Shown size={16} />} {...look} onClick={open}>
        {label}
      </Button>
    ),
    dialog: dialog({ opened, onClose: close }),
  };
}

export function AddButton({ label, icon, needs, dialog, ...look }: Adding & Omit<ButtonProps, 'children'>) {
  const adding = useAdding({ label, icon, needs, dialog }, look);
  return (
    <>
      {adding?.button}
      {adding?.dialog}
    </>
  );
}
