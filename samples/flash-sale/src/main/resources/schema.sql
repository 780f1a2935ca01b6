create table if not exists item (
	sku varchar(64) primary key,
	stock int not null
);

create table if not exists orders (
	id bigint generated always as identity primary key,
	sku varchar(64) not null,
	placed_at timestamp default current_timestamp not null
);

-- What the page shows: forgotten when the last instance has stopped.

create memory table if not exists instance (
	url varchar(200) primary key,
	seen timestamp not null,
	started_redis boolean not null,
	holds varchar(1000) not null,
	leads boolean not null,
	waiting int not null,
	at_risk int not null,
	renewals bigint not null,
	handed_on_here bigint not null,
	handed_on_elsewhere bigint not null,
	lost bigint not null
) not persistent;

create memory table if not exists happening (
	id bigint generated always as identity primary key,
	at timestamp default localtimestamp not null,
	url varchar(200) not null,
	what varchar(1000) not null
) not persistent;
