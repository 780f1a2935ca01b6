create table article (sku varchar(100) primary key);
