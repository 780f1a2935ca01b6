create table watchdog_lock_fence (
	lock_hash char(64) not null primary key,
	lock_name varchar2(255) not null,
	token number(19) not null,
	holder char(36) not null,
	uses number(19) not null
);
