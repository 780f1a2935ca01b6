create table if not exists watchdog_lock_fence (
	lock_hash char(64) not null primary key,
	lock_name varchar(255) not null,
	token bigint not null,
	holder char(36) not null,
	uses bigint not null
) engine = InnoDB;
