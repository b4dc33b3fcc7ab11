-- Mails that the indexer had not come to, and those that were committed too late for it and are found by no search since.
-- Apart from the step before, so that no writer waits while all mails are compared.
insert into mail_subjects_pending (instance_id, mail_ids)
select instance_id, array_agg(mail_id)
from (
  select m.instance_id, m.mail_id, row_number() over (partition by m.instance_id order by m.mail_id) / 500 as part
  from mails m
    left join mail_subjects s on s.mail_id = m.mail_id
    left join (select unnest(mail_ids) as mail_id from mail_subjects_pending) as p on p.mail_id = m.mail_id
  where s.mail_id is null and p.mail_id is null
) as missed
group by instance_id, part;
