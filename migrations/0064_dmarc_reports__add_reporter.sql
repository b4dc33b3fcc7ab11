-- The organisational domain that a report was authenticated for; empty for those from before. What one reporter sends
-- neither counts against another nor takes the identifiers of its reports.
alter table dmarc_reports add column reporter text not null default '' check (length(reporter) <= 253);
alter table dmarc_reports
  drop constraint dmarc_reports_once,
  add constraint dmarc_reports_once unique (domain_id, reporter, org_name, report_id);
-- For the quotas of a day.
create index dmarc_reports_quota on dmarc_reports (domain_id, received_at);
